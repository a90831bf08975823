import json


def answer(path, query, state):
    if query.get("apikey") != "new":
        return 401, {}, json.dumps({"error": "unknown key"})
    return 200, {}, json.dumps({"price": "10", "time": 1768471200, "name": "Bitcoin"})
