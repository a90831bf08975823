import json

DAY = 86_400_000
NOW = 1_772_647_200_000


def answer(path, query, state):
    """CoinGecko without a key: a year of prices, and none from before."""
    if path.endswith("/coins/list"):
        return 200, {}, json.dumps([{"id": "bitcoin", "symbol": "btc", "name": "Bitcoin"}])
    if path.endswith("/coins/markets"):
        return 200, {}, json.dumps([{"id": "bitcoin", "symbol": "btc", "name": "Bitcoin", "current_price": 100, "last_updated": "2026-03-04T17:59:30.000Z"}])
    days = min(int(query.get("days", "365")), 365)
    first = (NOW - days * DAY) // DAY * DAY
    return 200, {}, json.dumps({"prices": [[t, 100] for t in range(first, NOW, DAY)], "market_caps": [], "total_volumes": []})
