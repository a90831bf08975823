import json


def answer(path, query, state):
    coins = [("bitcoin", "btc")] + ([] if state == "gone" else [("oldcoin", "old")])
    if path.endswith("/coins/list"):
        return 200, {}, json.dumps([{"id": i, "symbol": s, "name": i} for i, s in coins])
    rows = [{"id": i, "symbol": s, "name": i, "current_price": 5, "last_updated": "2026-01-10T20:00:00Z"} for i, s in coins]
    return 200, {}, json.dumps([r for r in rows if r["id"] in query.get("ids", "").split(",")])
