import datetime
import json


def answer(path, query, state):
    start, end = (datetime.datetime.fromtimestamp(int(query[key]), datetime.timezone.utc).date() for key in ("from", "to"))
    days = [str(start + datetime.timedelta(day)) for day in range((end - start).days + 1)]
    days = [day for day in days if datetime.date.fromisoformat(day).weekday() < 5]
    if path == "/element":
        rows = "".join(f"<row><t>{day}</t><p>{day[-2:]}</p></row>" for day in days)
        return 200, {"Content-Type": "text/xml"}, f'<list id="X">{rows}</list>'
    rows = [{"t": day, "p": int(day[-2:])} for day in days]
    if path == "/select":
        return 200, {}, json.dumps({"rows": rows})
    return 200, {}, json.dumps({"ticker": "X", "count": len(rows), **({"results": rows} if rows else {})})
