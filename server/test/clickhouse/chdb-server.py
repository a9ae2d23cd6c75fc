"""ClickHouse's HTTP interface for tests: one chdb session, one query at a time.

Speaks what @clickhouse/client needs: the query in the body or in the URL, parameters (param_*), settings, gzip, and
exceptions with X-ClickHouse-Exception-Code. Prints its port when it is ready, and ends with its standard input.

With CHDB_CONFIG, the session has the cluster of that file: one shard in this process, and a Keeper in memory. The engine
parses each statement as it is. What one process cannot run is then replaced: ON CLUSTER runs here, and replicated tables,
which need a port for other replicas, are plain ones with the same deduplication. CHDB_REPLICATED=1 keeps their engine.
"""

import gzip
import os
import re
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from chdb import session

config = os.environ.get("CHDB_CONFIG")
session = session.Session(f"file:{sys.argv[1]}?config-file={config}" if config else sys.argv[1])
turn = threading.Lock()
state = {"database": "default"}

# URL parameters that are not settings, and timeouts of the client, which have no effect here.
reserved = {"query", "database", "query_id", "default_format", "session_id", "session_timeout", "role",
            "wait_end_of_query", "enable_http_compression", "send_progress_in_http_headers",
            "http_headers_progress_interval_ms", "cancel_http_readonly_queries_on_client_close"}


def quote(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def literal(value):
    return value if value.startswith("{") else quote(value)


def is_setting(name):
    return name not in reserved and re.fullmatch(r"\w+", name)


def on_one_server(query):
    """Returns the statement without the parts that need several servers, or None if nothing is left to do."""
    if not config or not re.search("ON CLUSTER", query):
        return query
    session.query("SELECT formatQuery(" + quote(query) + ")")
    if query.startswith("SYSTEM SYNC REPLICA"):
        return None
    query = re.sub(r" ON CLUSTER '[^']*'", "", query)
    if not os.environ.get("CHDB_REPLICATED"):
        query = re.sub(r"ReplicatedMergeTree\('[^']*', '[^']*'\)", "MergeTree", query)
        query = query.replace(" replicated_deduplication_window", " non_replicated_deduplication_window")
    return query


def run(query, url):
    database = url.get("database", "default")
    names = [name for name in url if is_setting(name)]
    with turn:
        if state["database"] != database:
            session.query(f"USE `{database}`")
            state["database"] = database
        try:
            for name in names:
                value = quote(url[name]) if name.startswith("param_") else literal(url[name])
                session.query(f"SET {name} = {value}")
            query = on_one_server(query)
            if query is None:
                return b""
            return session.query(query, url.get("default_format", "TabSeparated")).bytes() or b""
        finally:
            for name in names:
                if not name.startswith("param_"):
                    session.query(f"SET {name} = DEFAULT")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Without this setting, the body waits 40 ms for the client's delayed acknowledgment of the headers.
    disable_nagle_algorithm = True

    def do_GET(self):
        if urlsplit(self.path).path == "/ping":
            return self.send(200, b"Ok.\n", {})
        return self.answer(b"")

    def do_POST(self):
        body = self.read_body()
        if "gzip" in self.headers.get("Content-Encoding", ""):
            body = gzip.decompress(body)
        return self.answer(body)

    def read_body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        chunks = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def answer(self, body):
        url = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        query = url.get("query", "") + ("\n" if url.get("query") and body else "") + body.decode("utf-8", "surrogatepass")
        headers = {"X-ClickHouse-Query-Id": url.get("query_id", str(uuid.uuid4())), "X-ClickHouse-Summary": "{}"}
        try:
            self.send(200, run(query, url), headers)
        except Exception as error:
            code = re.search(r"Code: (\d+)", str(error))
            headers["X-ClickHouse-Exception-Code"] = code[1] if code else "1002"
            status = 404 if code and code[1] == "60" else 500
            self.send(status, str(error).encode("utf-8", "replace"), headers)

    def send(self, status, body, headers):
        if len(body) > 1024 and "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body, 1)
            headers = {**headers, "Content-Encoding": "gzip"}
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


server = Server(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
os._exit(0)
