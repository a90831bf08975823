import gzip
import zlib

BODY = b'{"price":5,"time":1768507000,"name":"X"}'


def raw(body):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(body) + packer.flush()


def answer(path, query, state):
    packed = gzip.compress(BODY, mtime=0)
    return {"/br": (200, {"Content-Encoding": "br"}, b"\x0b\x13\x80" + BODY + b"\x03"),
            "/twice": (200, {"Content-Encoding": "gzip, gzip"}, gzip.compress(packed, mtime=0)),
            "/identity": (200, {"Content-Encoding": "identity"}, BODY),
            "/upper": (200, {"Content-Encoding": "X-GZIP"}, packed),
            "/raw": (200, {"Content-Encoding": "deflate"}, raw(BODY)),
            "/transfer": (200, {"Transfer-Encoding": "br, chunked", "Content-Length": "0"}, b"")}[path]
