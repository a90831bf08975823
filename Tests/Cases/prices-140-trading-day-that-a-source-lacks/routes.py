import json
from datetime import date, datetime, timedelta, timezone

from yahoo import at, chart

NOW = datetime(2026, 9, 2, 22, tzinfo=timezone.utc)


def answer(path, query, state):
    """Days of a share, of which the first source lacks a Friday."""
    if path.startswith("/closes"):
        days = [date(2026, 8, 20) + timedelta(i) for i in range(13)]
        return 200, {}, json.dumps([{"date": str(d), "price": 305.5} for d in days if d.weekday() < 5])
    rows = []
    for day in (date(2026, 1, 2) + timedelta(i) for i in range(244)):
        if day.weekday() < 5 and day != date(2026, 8, 28):
            value = 300 + day.day
            rows.append((at(day.year, day.month, day.day, 9, 30, zone="America/New_York"), value, value + 1, value - 1, value + .5))
    return chart("AAPL", "USD", NOW, "America/New_York", query["interval"], rows, query)
