import json


def answer(path, query, state):
    return 200, {}, json.dumps({"p": 5, "t": "2026-01-05T00:00:00Z" if path == "/gone" else "2026-01-17T11:59:00Z"})
