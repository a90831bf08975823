import coins


def answer(path, query, state):
    if state == "page":
        return 200, {"Content-Type": "text/html"}, "<html><title>Maintenance</title></html>"
    return coins.answer(path, query, state)
