from datetime import datetime, timezone

from yahoo import at, chart

NOW = datetime(2026, 3, 4, 22, tzinfo=timezone.utc)
DAYS = [(2025, 12, 30, 101), (2025, 12, 31, 100), (2026, 1, 2, 90), (2026, 2, 2, 92), (2026, 3, 3, 95), (2026, 3, 4, 93)]


def answer(path, query, state):
    rows = [(at(y, m, d, 9, 30, zone="America/New_York"), p, p, p, p) for y, m, d, p in DAYS]
    return chart("SPY", "USD", NOW, "America/New_York", query.get("interval", "1d"), rows, query)
