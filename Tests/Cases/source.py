"""A loopback source for a case: python3 source.py FOLDER CASE.

The port is written to FOLDER/port, each request that arrives is a line of FOLDER/requests, and FOLDER/state holds what `say` said last.
CASE/routes.py has answer(path, query, state), which returns (status, headers, body): the path is unquoted, the query a dictionary of
first values, the state a text, by which a case changes the source between two commands. A POST asks post(path, query, sent) instead.
A body of None ends the connection without an answer; a header Content-Length of the case's own is sent as it is. Without routes.py the
file CASE/answers/NAME answers /NAME.
"""
import http.server
import importlib.util
import os
import sys
import threading
from urllib.parse import parse_qs, unquote, urlparse

# What cases share, such as coingecko.py, is imported from beside this file.
sys.dont_write_bytecode = True
folder, case = sys.argv[1], sys.argv[2]
routes = None
if os.path.exists(case + "/routes.py"):
    spec = importlib.util.spec_from_file_location("routes", case + "/routes.py")
    routes = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(routes)
lock = threading.Lock()


def file(path):
    kinds = {"csv": "text/csv", "xml": "text/xml", "html": "text/html"}
    try:
        with open(case + "/answers/" + path.strip("/"), "rb") as body:
            return 200, {"Content-Type": kinds.get(path.rpartition(".")[2], "application/json")}, body.read()
    except OSError:
        return 404, {}, b'{"error": "none"}'


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with open(folder + "/state") as file_of_state:
            state = file_of_state.read().strip()
        with lock, open(folder + "/requests", "a") as log:
            log.write(f"{self.command} {self.path} {sent.decode(errors='replace')}".rstrip() + "\n")
        url = urlparse(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query, keep_blank_values=True).items()}
        if routes is None:
            status, headers, body = file(unquote(url.path))
        elif self.command == "POST":
            status, headers, body = routes.post(unquote(url.path), query, sent)
        else:
            status, headers, body = routes.answer(unquote(url.path), query, state)
        if body is None:
            self.close_connection = True
            return
        body = body.encode() if isinstance(body, str) else body
        try:
            self.send_response(status)
            if "Content-Length" not in headers:
                self.send_header("Content-Length", str(len(body)))
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = self.close_connection or "Content-Length" in headers
        except OSError:
            pass

    do_POST = do_GET

    def do_CONNECT(self):  # for a proxy that asks for a login
        with lock, open(folder + "/requests", "a") as log:
            log.write(f"CONNECT {self.path}\n")
        self.send_response(407)
        self.send_header("Proxy-Authenticate", 'Basic realm="office"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 512
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
with open(folder + "/port.new", "w") as out:
    out.write(str(server.server_address[1]))
os.rename(folder + "/port.new", folder + "/port")
server.serve_forever()
