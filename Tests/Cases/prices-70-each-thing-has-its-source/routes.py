import json
from datetime import datetime, timedelta, timezone

import coins
import yahoo

NOW = datetime(2026, 1, 15, 10, 0, tzinfo=timezone.utc)
FALSE = b'{"chart":{"result":null,"error":{"code":"Not Found","description":"No data found, symbol may be delisted"}}}'


def answer(path, query, state):
    """`state` names what fails: `coins` or `shares`, then a status."""
    part = path.split("/")[1]
    if state.startswith(part):
        return int(state.split()[1]), {}, json.dumps({"error": "as the case wants it"})
    if part == "shares":
        symbol = path.rpartition("/")[2]
        if symbol != "AAPL":
            return 404, {}, FALSE
        days = [NOW.replace(hour=14, minute=30) - timedelta(days=i) for i in range(20, 0, -1)]
        rows = [(int(d.timestamp()), 200 + i, 201 + i, 199 + i, 200.5 + i) for i, d in enumerate(days) if d.weekday() < 5]
        return yahoo.chart("AAPL", "USD", NOW, "America/New_York", query.get("interval", "1d"), rows, query)
    if path.endswith("/market_chart"):
        start = int(NOW.timestamp()) - int(query["days"]) * 86400
        if path.split("/")[3] not in coins.COINS:
            return 404, {}, json.dumps({"error": "coin not found"})
        return 200, {}, json.dumps({"prices": [[(start + h * 3600) * 1000, 10 + h % 24 / 10] for h in range(int(query["days"]) * 24)]})
    status, headers, body = coins.answer(path, query, state)
    if path.endswith("/coins/markets") and status == 200:
        rows = json.loads(body)
        for row in rows:
            row.update({"market_cap": 1000, "market_cap_rank": 1, "sparkline_in_7d": {"price": [10 + h % 24 / 10 for h in range(168)]}})
        body = json.dumps(rows)
    return status, headers, body
