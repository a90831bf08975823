def answer(path, query, state):
    return 200, {}, '{"price": 0.06245, "base": "CHF"}'
