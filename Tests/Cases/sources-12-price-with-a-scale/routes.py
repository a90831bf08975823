import json

ANSWERS = {
    "/scale/BTCUSD": {"symbol": "BTCUSD", "price": 9684132, "scale": 2}, "/plain/BTCUSD": {"symbol": "BTCUSD", "price": 96841.32},
    "/other/BTCUSD": {"symbol": "ETHUSD", "price": 3214.1}, "/unit/BTC": {"price": 65, "unit": 100, "of": "BTC"}}


def answer(path, query, state):
    return 200, {}, json.dumps(ANSWERS[path])
