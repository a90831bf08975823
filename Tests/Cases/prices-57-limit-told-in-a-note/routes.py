import json


def answer(path, query, state):
    if state == "note":
        return 200, {}, json.dumps({"Note": "Our standard call frequency is 5 calls per minute and 500 calls per day."})
    if state == "information":
        return 200, {}, json.dumps({"Information": "We have detected your key as ABC and our standard rate limit is 25 requests per day."})
    if state == "nothing":
        return 200, {}, json.dumps({"Global Quote": {}})
    symbol = query.get("symbol", "?")
    return 200, {}, json.dumps({"Global Quote": {"01. symbol": symbol, "05. price": "233.2800", "07. latest trading day": "2026-01-15", "08. previous close": "234.4000"}})
