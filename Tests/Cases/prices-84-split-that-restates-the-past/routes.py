from datetime import datetime, timezone

import yahoo


def answer(path, query, state):
    """Closes of 1001, 1002 and so on in January 2026; a tenth of that after the split."""
    if state == "fails":
        return 503, {}, "{}"
    now = datetime(2026, 1, 20 if state == "split" else 15, 21, 30, tzinfo=timezone.utc)
    rows = []
    for day in range(2, now.day + 1):
        begin = datetime(2026, 1, day, 14, 30, tzinfo=timezone.utc)
        price = (1000 + day) / (10 if state == "split" else 1)
        if begin.weekday() < 5:
            rows.append((int(begin.timestamp()), price, price + 1, price - 1, price))
    return yahoo.chart("NVDA", "USD", now, "America/New_York", query.get("interval", "1d"), rows, query)
