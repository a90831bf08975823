SHEET = """sep=;
Preise der Häuser;;;;
Stand;15.01.2026;;;

ISIN;Fonds;Rücknahmepreis;Vortag;Datum
DE000A0TEST1;Wachstum Süd;1.105,50;1.100,00;15.01.2026
DE000A0TEST2;Zins Nördlich;52,17;;15.01.2026
DE000A0TEST3;Geschlossen;;;15.01.2026
"""


def answer(path, query, state):
    return 200, {"Content-Type": "text/csv"}, SHEET.replace("\n", "\r\n").encode("cp1252")
