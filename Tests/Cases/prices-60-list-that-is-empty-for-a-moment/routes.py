import json


def answer(path, query, state):
    if path.endswith("/coins/list"):
        return 200, {}, json.dumps([] if state == "empty" else [{"id": "bitcoin", "symbol": "btc", "name": "Bitcoin"}])
    rows = [{"id": "bitcoin", "symbol": "btc", "name": "Bitcoin", "current_price": 96841.5, "last_updated": "2026-01-15T19:59:00Z"}]
    return 200, {}, json.dumps([r for r in rows if r["id"] in query.get("ids", "").split(",")])
