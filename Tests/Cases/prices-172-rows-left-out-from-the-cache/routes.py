def answer(path, query, state):
    return 200, {"Content-Type": "text/csv"}, "d,p\n2026-01-12,100\n2026-01-13,101\n2026-01-14,1O2\n2026-01-15,103\n"
