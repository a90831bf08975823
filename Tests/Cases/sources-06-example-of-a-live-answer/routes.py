def answer(path, query, state):
    if state == "busy":
        return 429, {"Retry-After": "60"}, "{}"
    if path == "/gold/bars":
        return 200, {}, '[{"t": "2026-01-13", "o": "1", "h": "3", "l": "1", "c": "2"}, {"t": "2026-01-14", "o": "2", "h": "2.5", "l": "2", "c": "2.250"}]'
    if path == "/gold":
        return 200, {}, '{"price": "2610.50", "at": "2026-01-15T19:59:00Z",\n "note": "fixé"}'
    return 404, {}, '{"message": "unknown"}'
