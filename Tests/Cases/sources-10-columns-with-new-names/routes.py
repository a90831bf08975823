def answer(path, query, state):
    if state == "new":
        return 200, {"Content-Type": "text/csv"}, "TradDt,TckrSymb,ClsPric,PrvsClsgPric\n2026-01-16,TIN,12.5,12\n"
    return 200, {"Content-Type": "text/csv"}, "SYMBOL,CLOSE,PREVCLOSE,TIMESTAMP\nTIN,12.0,11.5,15-JAN-2026\n"
