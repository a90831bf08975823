JSON = '{"price": 5, "time": 1768507000, "name": "Zürich"}'
XML = '<?xml version="1.0" encoding="%s"?><fund><price>5</price><time>1768507000</time><name>Zürich</name></fund>'
TYPE = "application/json; charset="


def answer(path, query, state):
    if path.startswith("/xml/"):
        return {"declared": (200, {"Content-Type": "text/xml"}, (XML % "ISO-8859-1").encode("latin-1")),
                "header": (200, {"Content-Type": "text/xml; charset=windows-1252"}, (XML % "utf-8").encode("cp1252")),
                "mark": (200, {"Content-Type": "text/xml; charset=windows-1252"}, (XML % "utf-16").encode("utf-16"))}[path[5:]]
    if path == "/csv/sheet":
        return 200, {"Content-Type": "text/csv; charset=ISO-8859-1"}, "Börse;Kurs;Zeit\nZürich;5;1768507000\n".encode("latin-1")
    return {
        "utf8-mark": (200, {}, JSON.encode("utf-8-sig")),
        "latin1": (200, {"Content-Type": TYPE + "ISO-8859-1"}, JSON.encode("latin-1")),
        "windows-1252": (200, {"Content-Type": TYPE + "windows-1252"}, JSON.replace("Zürich", "€ Zürich").encode("cp1252")),
        "utf16-mark": (200, {}, JSON.encode("utf-16")),
        "utf16-big": (200, {"Content-Type": TYPE + "utf-16"}, b"\xfe\xff" + JSON.encode("utf-16-be")),
        "utf16-declared": (200, {"Content-Type": TYPE + "utf-16le"}, JSON.encode("utf-16-le")),
        "gb18030": (200, {"Content-Type": TYPE + "GBK"}, JSON.replace("Zürich", "上海").encode("gbk")),
        "quoted": (200, {"Content-Type": 'application/json; Charset="utf-8"; x=y'}, JSON.encode()),
        "unknown": (200, {"Content-Type": TYPE + "x-moon"}, JSON.encode("latin-1")),
        "unknown-ascii": (200, {"Content-Type": TYPE + "x-moon"}, JSON.replace("ü", "u")),
        "not-utf16": (200, {"Content-Type": TYPE + "utf-16"}, JSON.encode() + b" "),
    }[path[1:]]
