SHEET = "date,close\n2026-01-12,9012.25\n2026-01-13,9013.25\n2026-01-14,9014.25\n2026-01-15,9015.25\n"


def answer(path, query, state):
    if path == "/rows":
        return 206, {"Content-Type": "text/csv", "Content-Range": "rows 0-3/1000"}, SHEET
    last = len(SHEET) - 1 if path == "/whole" else 60
    return 206, {"Content-Type": "text/csv", "Content-Range": f"bytes 0-{last}/{len(SHEET)}"}, SHEET[: last + 1]
