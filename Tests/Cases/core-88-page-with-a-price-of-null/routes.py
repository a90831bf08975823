"""Five coins by market value; the third has no price, and the fourth no week."""
import json

NAMES = ["bitcoin", "ethereum", "priceless", "weekless", "solana"]


def answer(path, query, state):
    wanted = query["ids"].split(",") if "ids" in query else NAMES if query.get("page") == "1" else []
    rows = [
        {"id": name, "symbol": name[:3], "name": name, "current_price": None if name == "priceless" else 110, "market_cap": 1000 - place,
         "market_cap_rank": place + 1, "total_volume": 500, "last_updated": "2026-01-15T09:59:00.000Z",
         "sparkline_in_7d": None if name == "weekless" or state == "weekless" else {"price": [1, 2]}}
        for place, name in enumerate(NAMES) if name in wanted
    ]
    return 200, {}, json.dumps(rows)
