def answer(path, query, state):
    packed = {"Content-Encoding": "gzip"}
    return {"/busy": (429, {"Retry-After": "40", **packed}, b"no gzip"), "/broken": (500, packed, b"no gzip"),
            "/gone": (404, packed, b"no gzip")}[path]
