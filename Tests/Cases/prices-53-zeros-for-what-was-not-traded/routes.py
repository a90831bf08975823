import json


def answer(path, query, state):
    if path.startswith("/quote/"):
        return 200, {}, json.dumps({"latestPrice": 0 if state == "holiday" else 26.49})
    return 200, {}, json.dumps([
        {"date": "2026-01-12", "open": 26, "high": 27, "low": 25, "close": 26.5},
        {"date": "2026-01-13", "open": 0, "high": 0, "low": 0, "close": 26.49},
        {"date": "2026-01-14", "open": 26, "high": 28, "low": 26, "close": 27.5},
        {"date": "2026-01-15", "open": 0, "high": 0, "low": 0, "close": 0}])
