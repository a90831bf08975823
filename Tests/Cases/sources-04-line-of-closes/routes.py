def answer(path, query, state):
    width = {"h": 3600, "d": 86400}[query["w"]]
    end = 1768507200 // width * width  # 2026-01-15 20:00 UTC
    rows = [[end - n * width, 100 + n, 120 + n, 90, 101 + n] for n in range(8, -1, -1)]
    return 200, {}, str(rows)
