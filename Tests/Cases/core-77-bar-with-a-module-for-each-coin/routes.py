import json

COINS = ("bitcoin", "ethereum", "solana")


def answer(path, query, state):
    if path.startswith("/coins/list"):
        return 200, {}, json.dumps([{"id": coin, "symbol": coin, "name": coin} for coin in COINS])
    coins = [coin for coin in query.get("ids", "").split(",") if coin in COINS]
    return 200, {}, json.dumps([{"id": c, "symbol": c, "name": c, "current_price": 100} for c in coins])
