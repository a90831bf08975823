import datetime
import json


def answer(path, query, state):
    now = datetime.datetime(2026, 1, 15, 12 if state == "one" else 13, tzinfo=datetime.timezone.utc)
    first = now - datetime.timedelta(hours=23, minutes=0 if state == "one" else 30)
    times = [first + datetime.timedelta(hours=hour) for hour in range(24)]
    points = [{"time": f"{time:%Y-%m-%dT%H:%M:%SZ}", "price": str((100 if state == "one" else 200) + time.hour)} for time in times]
    return 200, {}, json.dumps({
        "schema": "bitpal.chart/1", "coin": "bitcoin", "type": "line", "range": "1D", "currency": "usd", "provider": state,
        "candle": None, "daily": False, "incomplete": None, "points": points, "statistics": None, "fetched_at": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        "stale": False, "stale_reason": None, "source": state, "converted": None, "errors": []})
