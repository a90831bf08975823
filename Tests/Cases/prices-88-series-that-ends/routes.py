import json

DAY = 86_400
TODAY = 1768694400  # 2026-01-18, a Sunday


def answer(path, query, state):
    kind, coin = path[1:].split("/")
    if kind == "q":
        return 200, {}, '{"price": 5}'
    last = {"dead": TODAY - 100 * DAY, "share": TODAY - 2 * DAY}.get(coin, TODAY)
    times = range(last - 500 * DAY, last + 1, DAY)
    return 200, {}, json.dumps([[time, 10 + time // DAY % 7] for time in times])
