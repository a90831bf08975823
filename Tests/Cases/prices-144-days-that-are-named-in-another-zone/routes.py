from datetime import datetime, timezone

from yahoo import at, chart

NOW = datetime(2026, 1, 6, 3, tzinfo=timezone.utc)
DAYS = [(2025, 12, 29), (2025, 12, 30), (2025, 12, 31), (2026, 1, 2), (2026, 1, 5)]


def answer(path, query, state):
    rows = [(at(y, m, d, 9, 30, zone="America/New_York"), 100 + n, 101 + n, 99 + n, 100.5 + n) for n, (y, m, d) in enumerate(DAYS)]
    rows = [row for row in rows if int(query.get("period1", 0)) <= row[0] <= int(query.get("period2", 9e9))]
    return chart("AAPL", "USD", NOW, "America/New_York", query.get("interval", "1d"), rows, query)
