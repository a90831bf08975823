def answer(path, query, state):
    if path == "/mine":
        return 200, {}, '[{"code": "PROP", "value": 0.956}]'
    return 200, {}, '{"price": 140, "currency": "AUD"}'
