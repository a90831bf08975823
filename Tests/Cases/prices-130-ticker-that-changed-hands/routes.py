import json


def answer(path, query, state):
    symbol = query.get("symbol", "")
    if symbol != "FRAXUSDT":
        return 400, {}, '{"code":-1121,"msg":"Invalid symbol."}'
    return 200, {}, json.dumps({"symbol": symbol, "lastPrice": "0.26", "priceChangePercent": "1.500", "volume": "512040",
                                "closeTime": 1797076800000, "count": 812})
