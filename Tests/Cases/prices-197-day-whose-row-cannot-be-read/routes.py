def answer(path, query, state):
    if path.startswith("/days/"):
        return 200, {"Content-Type": "text/csv", "Content-Encoding": "utf-8"}, "Date,Open,Close\n2026-01-12,1,N/A\n2026-01-13,1,11\n2026-01-14,1,12\n2026-01-15,1,13\n"
    return 404, {}, "{}"
