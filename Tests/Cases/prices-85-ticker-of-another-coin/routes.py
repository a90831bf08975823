import json

PRICES = {"LUNAUSD": "0.00006", "LUNA2USD": "0.42", "BTTUSDT": "0.0026", "BTTCUSDT": "0.0000009"}
DAY = 86_400


def answer(path, query, state):
    pair = query.get("pair") or query.get("symbol")
    if pair not in PRICES:
        return 200, {}, json.dumps({"error": ["EQuery:Unknown asset pair"]})
    price = PRICES[pair]
    if path.startswith("/binance"):
        return 200, {}, json.dumps({"symbol": pair, "lastPrice": price, "priceChangePercent": "1", "volume": "9",
                                    "closeTime": 1768506900000})
    if path.endswith("/OHLC"):
        days = [[1768003200 + day * DAY, price, price, price, price, price, "5", 1] for day in range(7)]
        return 200, {}, json.dumps({"error": [], "result": {pair: days, "last": days[-2][0]}})
    return 200, {}, json.dumps({"error": [], "result": {pair: {"c": [price, "1"], "v": ["1", "2"], "o": price}}})
