import json


def answer(path, query, state):
    days = [1768176000, 1768262400]
    quote = {"open": [66.2, 66.4], "high": [66.9, 67.1], "low": [66.0, 66.3], "close": [66.5, 66.74]}
    meta = {"currency": "GBp", "symbol": "BARC.L", "exchangeTimezoneName": "Europe/London", "regularMarketTime": 1768320000,
            "regularMarketPrice": 66.74, "chartPreviousClose": 66.1, "dataGranularity": query.get("interval")}
    return 200, {}, json.dumps({"chart": {"result": [{"meta": meta, "timestamp": days, "indicators": {"quote": [quote]}}], "error": None}})
