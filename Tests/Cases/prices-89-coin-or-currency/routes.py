def answer(path, query, state):
    return 200, {}, '{"price": %s}' % {"/mantle": "1.2", "/MNT": "0.00028"}[path]
