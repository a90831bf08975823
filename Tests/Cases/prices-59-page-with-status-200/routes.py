PAGE = "<!DOCTYPE html>\n<html><head><title>One moment</title></head><body><form action='/__verify' method='post'></form></body></html>"


def answer(path, query, state):
    if state == "page":
        return 200, {"Content-Type": "text/html"}, PAGE
    return 200, {"Content-Type": "text/csv"}, "Symbol,Date,Time,Open,High,Low,Close,Volume\r\nAAPL.US,2026-01-15,21:00:00,233,236,232,233.5,1\r\n"
