BODY = '{"price":5,"time":1768507000,"name":"X"}'


def answer(path, query, state):
    return {"/here": (301, {"Location": "/moved?to=x"}, ""), "/moved": (200, {}, BODY),
            "/there": (302, {"Location": "https://login.example/?next=/there"}, ""),
            "/plain": (302, {"Location": "http://api.example/plain"}, ""),
            "/round": (307, {"Location": "/round"}, ""), "/nowhere": (302, {}, "")}[path]
