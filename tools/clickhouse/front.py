"""ClickHouse's HTTP interface over chdb, which is ClickHouse in the process, for tests: one statement at a time.

python front.py FOLDER   (the password of the user "default" in ROOKERY_CLICKHOUSE_PASSWORD; says its port, ends with stdin)
"""

import os
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from chdb import session

folder = sys.argv[1]
password = os.environ.get("ROOKERY_CLICKHOUSE_PASSWORD", "")
connection = session.Session(os.path.join(folder, "data"))
turn = threading.Lock()
# chdb passes no rows that follow a statement: they are read from a file, in place of `input`.
INPUT = re.compile(r"FROM input\('(.*)'\) FORMAT Parquet\s*$", re.S)
FORMAT = re.compile(r"\sFORMAT\s+(\w+)\s*$")


def run(sql, database, params, body):
    rows = os.path.join(folder, "rows.parquet")
    found = INPUT.search(sql)
    if found:
        with open(rows, "wb") as file:
            file.write(body)
        sql = sql[: found.start()] + f"FROM file('{rows}', Parquet, '{found[1]}')"
    form = FORMAT.search(sql)
    if form:
        sql = sql[: form.start()]
    with_params = {"params": params} if params else {}
    if database:
        connection.query(f"USE `{database}`")
    return connection.query(sql, form[1] if form else "TSV", **with_params).bytes()


class Front(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, code=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if code is not None:
            self.send_header("X-ClickHouse-Exception-Code", code)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        # Bytes of a header are UTF-8, as ClickHouse takes them.
        user, key = (self.headers.get(f"X-ClickHouse-{name}", "").encode("latin-1") for name in ("User", "Key"))
        if user != b"default" or key != password.encode():
            self.answer(403, b"Code: 516. DB::Exception: default: Authentication failed", "516")
            return
        query = {name: values[-1] for name, values in parse_qs(urlsplit(self.path).query).items()}
        params = {name[6:]: value for name, value in query.items() if name.startswith("param_")}
        sql = query.get("query") or body.decode()
        try:
            with turn:
                result = run(sql, query.get("database"), params, body)
            self.answer(200, result or b"")
        except Exception as error:  # chdb has no class of its own for what ClickHouse refuses
            words = str(error)
            code = re.search(r"Code: (\d+)", words)
            self.answer(500 if code is None else 400, words.encode(), code[1] if code else None)


server = ThreadingHTTPServer(("127.0.0.1", 0), Front)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"port {server.server_address[1]}", flush=True)
sys.stdin.read()
connection.close()
os._exit(0)
