import json

import coins


def answer(path, query, state):
    if path.endswith("/market_chart") or path.endswith("/market_chart/range"):
        end = 1768471200
        hours = range(int(query.get("days", 2)) * 24, -1, -1)
        return 200, {}, json.dumps({"prices": [[(end - hour * 3600) * 1000, 10 + hour % 24 / 10] for hour in hours]})
    if path.endswith("/ohlc"):
        step = 1800 if int(query["days"]) == 1 else 4 * 3600
        ends = range(1768471200 - int(query["days"]) * 86400, 1768471201, step)
        return 200, {}, json.dumps([[end // step * step * 1000, 10, 12, 9, 11] for end in ends])
    return coins.answer(path, query, state)
