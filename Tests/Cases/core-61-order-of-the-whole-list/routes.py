import json

import coins


def answer(path, query, state):
    """Of six coins the last ones of the list are traded most."""
    volume = {name: 100 * (place + 1) for place, name in enumerate(coins.COINS)}
    by_volume = path.endswith("/coins/markets") and query.get("order") == "volume_desc"
    if by_volume:
        names = sorted(volume, key=volume.get, reverse=True)
        query = {**query, "ids": ",".join(names if query["page"] == "1" else [])}
    elif path.endswith("/coins/markets") and "ids" not in query:
        query = {**query, "ids": ",".join(coins.COINS if query["page"] == "1" else [])}
    status, headers, body = coins.answer(path, query, state)
    if status == 200 and path.endswith("/coins/markets"):
        rows = [{**row, "total_volume": volume[row["id"]], "sparkline_in_7d": {"price": []}} for row in json.loads(body)]
        body = json.dumps(sorted(rows, key=lambda row: -row["total_volume"]) if by_volume else rows)
    return status, headers, body
