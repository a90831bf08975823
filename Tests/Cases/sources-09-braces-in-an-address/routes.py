def answer(path, query, state):
    if query.get("filter") != '{"Area":"DK2"}':
        return 400, {}, '{"message": "no such filter"}'
    return 200, {}, '{"records": [{"Hour": "2026-01-15T19:00:00Z", "Price": 812.5}]}'
