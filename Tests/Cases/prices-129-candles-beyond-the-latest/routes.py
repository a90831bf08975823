import json
from datetime import datetime, timezone

NOW = int(datetime(2026, 3, 4, 18, tzinfo=timezone.utc).timestamp())


def answer(path, query, state):
    """The latest 720 candles of each width."""
    width = int(query.get("interval", 1)) * 60
    last = NOW // width * width
    rows = [[last - n * width, "50000", "60000", "49000", "50001", "0", "1.5", 3] for n in range(719, -1, -1)]
    return 200, {}, json.dumps({"error": [], "result": {"XXBTZUSD": rows, "last": last}})
