import json


def answer(path, query, state):
    price = {"usd": 100, "eur": 91}[query["vs_currency"]]
    return 200, {}, json.dumps([{"id": "bitcoin", "symbol": "btc", "name": "Bitcoin", "current_price": price, "last_updated": "2026-01-15T09:59:00.000Z"}])
