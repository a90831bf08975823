import json
from datetime import datetime, timezone


def answer(path, query, state):
    """Days up to Thursday, 15 January 2026, each a dollar higher."""
    if path == "/quote":
        return 200, {}, json.dumps({"price": 199})
    last = int(datetime(2026, 1, 15, tzinfo=timezone.utc).timestamp())
    days = range(100)
    return 200, {}, json.dumps({
        "t": [last - 86400 * (99 - day) for day in days], "o": [100 + day for day in days], "h": [101 + day for day in days],
        "l": [99 + day for day in days], "c": [100 + day for day in days]})
