import json

NAMES = ["new-1", "new-2", "bitcoin", "new-3", "ethereum"]


def answer(path, query, state):
    """The largest coins first, all of them on the first page."""
    wanted = query["ids"].split(",") if "ids" in query else NAMES if query.get("page") == "1" else []
    rows = [
        {"id": name, "symbol": name[:3], "name": name, "current_price": 110, "market_cap": 1000 - place, "market_cap_rank": place + 1,
         "price_change_percentage_24h": 10, "last_updated": "2026-01-15T09:59:00.000Z"}
        for place, name in enumerate(NAMES) if name in wanted
    ]
    return 200, {}, json.dumps(rows)
