import json


PRICES = {"BTCUSD": "BTC", "BTCCHF": "BTC", "DOGEUSD": "DOGE"}


def answer(path, query, state):
    symbol = PRICES.get(path[1:])
    return 200, {}, json.dumps([{"symbol": symbol, "price": 10}] if symbol else {"error": "unknown pair"})
