import json


def coins(*names):
    return [{"id": n, "symbol": n[:3], "name": n.title()} for n in names]


def answer(path, query, state):
    after = query.get("after", "")
    page = coins("alpha", "beta") if after == "" else coins("gamma") if after == "2" else []
    if path.startswith("/empty"):  # the last page has no rows, and the cursor of before
        found = {"coins": page, "next": "2" if after == "" else "3"}
    elif path.startswith("/between"):  # a filter leaves nothing of the second page
        pages = {"": (coins("alpha", "beta"), "2"), "2": ([], "3"), "3": (coins("gamma"), None)}
        found = dict(zip(("coins", "next"), pages[after]))
    elif path.startswith("/counting"):  # the next page is always one more
        found = {"coins": page, "next": str(int(after or 1) + 1)}
    elif path.startswith("/same"):  # the last page has rows, and the cursor that led to it
        found = {"coins": page, "next": "2"}
    else:
        found = {"coins": page, "next": "2" if after == "" else None}
    return 200, {}, json.dumps(found)
