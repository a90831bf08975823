import json


def answer(path, query, state):
    """Three coins, of which one is listed and has no price."""
    coins = [("bitcoin", "btc", 100), ("atlas-2", "atlas", None), ("ethereum", "eth", 10)]
    if path.endswith("/coins/list"):
        return 200, {}, json.dumps([{"id": i, "symbol": s, "name": i.capitalize()} for i, s, _ in coins])
    ids = query.get("ids", "").split(",")
    return 200, {}, json.dumps([
        {"id": i, "symbol": s, "name": i.capitalize(), "current_price": p, "last_updated": "2026-03-04T17:59:30.000Z"}
        for i, s, p in coins if i in ids or ids == [""]])
