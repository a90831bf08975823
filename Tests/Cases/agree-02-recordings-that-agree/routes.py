PRICES = {"a": "100", "b": "100.5"}


def answer(path, query, state):
    return 200, {}, '{"last": "%s"}' % PRICES[path.split("/")[1]]
