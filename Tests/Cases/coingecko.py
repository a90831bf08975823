"""CoinGecko with three coins, one of which had another id before: the routes of cases that need no others. Its state "down" fails."""
import json

COINS = [
    ("bitcoin", "btc", "Bitcoin", "63100.5", 1_250_000_000_000, 1),
    ("ethereum", "eth", "Ethereum", "2450", 295_000_000_000, 2),
    ("polygon-ecosystem-token", "pol", "POL (ex-MATIC)", "0.2311", 2_400_000_000, 60),
]


def answer(path, query, state):
    if path.endswith("/coins/list"):
        return 200, {}, json.dumps([{"id": i, "symbol": s, "name": n} for i, s, n, *_ in COINS])
    if path.endswith("/coins/markets"):
        if state == "down":
            return 503, {}, "{}"
        ids = query.get("ids", "").split(",")
        return 200, {}, "[" + ",".join(
            '{"id":"%s","symbol":"%s","name":"%s","current_price":%s,"market_cap":%d,"total_volume":1234567890,'
            '"market_cap_rank":%d,"high_24h":1,"low_24h":1,"circulating_supply":1000,"total_supply":null,"max_supply":null,'
            '"ath":200000,"ath_date":"2025-10-06T18:57:42.558Z","atl":1e-5,"atl_date":"2013-07-06T00:00:00.000Z",'
            '"sparkline_in_7d":{"price":[1,2,1.5]},"price_change_percentage_24h":1.5,"last_updated":"2026-03-04T17:59:30.000Z"}' % row
            for row in COINS if row[0] in ids) + "]"
    times = range(1_772_560_800_000, 1_772_647_200_000, 3_600_000)
    if path.endswith("/ohlc"):
        return 200, {}, json.dumps([[t, 100, 110, 90, 105] for t in times])
    if path.endswith("/market_chart"):
        return 200, {}, json.dumps({"prices": [[t, 100 + t % 7] for t in times], "market_caps": [], "total_volumes": []})
    return 404, {}, "{}"
