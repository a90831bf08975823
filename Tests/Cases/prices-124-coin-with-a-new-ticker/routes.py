import json

PRICES = {"GRAMUSDT": ("1.21000000", "5120400.10000000"), "TONUSDT": ("1.60000000", "0.00000000"), "HAVENUSDT": ("2", "1")}


def answer(path, query, state):
    symbol = query.get("symbol", "")
    if symbol not in PRICES:
        return 400, {}, '{"code":-1121,"msg":"Invalid symbol."}'
    price, volume = PRICES[symbol]
    return 200, {}, json.dumps({"symbol": symbol, "lastPrice": price, "priceChangePercent": "1.500", "volume": volume,
                                "closeTime": 1797076800000, "count": 812})
