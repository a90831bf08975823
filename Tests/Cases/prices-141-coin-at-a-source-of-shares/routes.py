from datetime import datetime, timezone

from yahoo import at, chart


def answer(path, query, state):
    """Two prices of three days ago: a coin's, and on a Friday evening a share's."""
    now = datetime(2026, 2, 27, 21, tzinfo=timezone.utc)
    kind = "CRYPTOCURRENCY" if "BTC" in path else "EQUITY"
    return chart(path.split("/")[-1], "USD", now, "UTC", "1d", [(at(2026, 2, 27), 100, 101, 99, 100.5)], query, instrumentType=kind,
                 chartPreviousClose=100)
