import json


def answer(path, query, state):
    if path.startswith("/coins/list"):
        return 200, {}, json.dumps([{"id": "bitcoin", "symbol": "btc", "name": "Bitcoin"}])
    coins = [coin for coin in query.get("ids", "").split(",") if coin in ("bitcoin", "ethereum", "solana")]
    return 200, {}, json.dumps([{"id": c, "symbol": c[:3], "name": c, "current_price": 100, "last_updated": "2026-01-15T12:00:00Z"} for c in coins])
