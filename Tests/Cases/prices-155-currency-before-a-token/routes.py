import json

COINS = {"euro-token": ("eur", "Euro Token", 104), "bitcoin": ("btc", "Bitcoin", 96000)}


def answer(path, query, state):
    if path == "/list":
        return 200, {}, json.dumps([{"id": key, "symbol": coin[0], "name": coin[1]} for key, coin in COINS.items()])
    return 200, {}, json.dumps([{"id": key, "price": COINS[key][2]} for key in query["ids"].split(",") if key in COINS])
