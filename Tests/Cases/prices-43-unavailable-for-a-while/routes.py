def answer(path, query, state):
    return 503, {} if path == "/now" else {"Retry-After": "1800"}, "down"
