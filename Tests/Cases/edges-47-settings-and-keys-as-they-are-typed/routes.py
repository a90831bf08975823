def answer(path, query, state):
    return 200, {}, '{"price": 5}'
