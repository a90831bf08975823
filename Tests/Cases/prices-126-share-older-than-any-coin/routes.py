from datetime import datetime, timezone

from yahoo import at, chart

NOW = datetime(2026, 3, 4, 15, tzinfo=timezone.utc)
WEEKS = [(1985, 1, 7, 30), (1985, 1, 14, 31), (2008, 12, 29, 90), (2009, 1, 5, 92), (2026, 2, 23, 260), (2026, 3, 2, 262)]


def answer(path, query, state):
    rows = [(at(y, m, d, zone="America/New_York"), p, p + 1, p - 1, p) for y, m, d, p in WEEKS]
    return chart("AAPL", "USD", NOW, "America/New_York", query.get("interval", "1wk"), rows, query)
