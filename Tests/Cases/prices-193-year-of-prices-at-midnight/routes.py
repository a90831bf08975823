import json
from datetime import datetime, timezone

DAY = 86400
YEAR = datetime(2026, 1, 1, tzinfo=timezone.utc).timestamp()
NOW = datetime(2026, 3, 20, 10, tzinfo=timezone.utc).timestamp()


def price(instant):
    # 1000 as the year begins, and one more each day.
    return 1000 + (instant - YEAR) / DAY


def answer(path, query, state):
    if "candles" not in path:
        return 404, {}, '{"message":"NotFound"}'
    width = int(query["granularity"])
    start, end = (datetime.fromisoformat(query[name].replace("Z", "+00:00")).timestamp() for name in ("start", "end"))
    rows, begin = [], int(-(-start // width) * width)
    while begin <= min(end, NOW):
        close = min(begin + width, NOW)
        rows.append([begin, price(begin), price(close), price(begin), price(close), 1])
        begin += width
    return 200, {}, json.dumps(rows[::-1])
