import json

RATES = [("2026-01-13", 11.5), ("2026-01-14", 11), ("2026-01-15", 10.67), ("2026-01-16", 10.67)]


def answer(path, query, state):
    if path == "/rates":
        return 200, {}, json.dumps([{"day": day, "rate": rate} for day, rate in RATES if query["from"] <= day <= query["to"]])
    return 200, {}, json.dumps({"price": 100, "change": 2})
