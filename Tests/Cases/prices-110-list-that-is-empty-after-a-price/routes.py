import coins


def answer(path, query, state):
    if state == "empty" and path.endswith("/coins/markets"):
        return 200, {}, "[]"
    return coins.answer(path, query, state)
