import json

import coins

# The prices of an hour stand up to a minute before or after it, as CoinGecko's do.
DRIFT = [-40, 12, -25, 48, 3, -55, 30]


def answer(path, query, state):
    if path.endswith("/market_chart") or path.endswith("/market_chart/range"):
        end = 1768471200
        hours = range(int(query.get("days", 2)) * 24, 0, -1)
        rows = [[(end - hour * 3600 + DRIFT[hour % 7]) * 1000, 100 + (end // 3600 - hour) % 24] for hour in hours]
        return 200, {}, json.dumps({"prices": rows + [[end * 1000, 110]]})
    return coins.answer(path, query, state)
