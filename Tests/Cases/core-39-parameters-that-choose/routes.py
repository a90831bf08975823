import json

import coins


def answer(path, query, state):
    if path.endswith("/market_chart") or path.endswith("/market_chart/range"):
        end = 1768471200
        hours = range(int(query.get("days", 2)) * 24, -1, -1)
        return 200, {}, json.dumps({"prices": [[(end - hour * 3600) * 1000, 10 + hour % 24 / 10] for hour in hours]})
    return coins.answer(path, query, state)
