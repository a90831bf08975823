import json


def answer(path, query, state):
    if path == "/price/moon":
        return 200, {}, json.dumps({"price": "100.5", "time": "2026-01-05T15:06:30Z"})
    if path == "/rate/USD":
        return 200, {}, json.dumps({"rate": "0.5", "day": "2026-01-05T00:00:00Z"})
    return 404, {}, "{}"
