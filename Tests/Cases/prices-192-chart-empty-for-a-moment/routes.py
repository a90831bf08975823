"""A chart of a price every five minutes until 15 January 2026, 10:00, which is empty for a moment."""
import json

NOW = 1768471200


def answer(path, query, state):
    if path.endswith("/coins/list"):
        return 200, {}, json.dumps([{"id": "bitcoin", "symbol": "btc", "name": "Bitcoin"}])
    if path.endswith("/market_chart"):
        rows = [] if state == "empty" else [[(NOW - 300 * n) * 1000, 1000 + n] for n in range(288, -1, -1)]
        return 200, {}, json.dumps({"prices": rows, "market_caps": [], "total_volumes": []})
    if path.endswith("/ohlc"):
        rows = [] if state == "empty" else [[(NOW - 1800 * n) * 1000, 1, 3, 0.5, 2] for n in range(48, -1, -1)]
        return 200, {}, json.dumps(rows)
    return 404, {}, json.dumps({"error": "coin not found"})
