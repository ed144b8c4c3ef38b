"""A web server of the oracle's own: an API that gives records page by page, one that takes them, and an OData service."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import quoteattr

from files import JsonLines, records_of, rows_of, token
from databases import of_text
from values import KINDS, Column, Other, parsed


class Server:
    def __init__(self):
        # Path → what answers a GET: given the query, headers and body.
        self.pages: dict = {}
        # Path → the records that came.
        self.taken: dict[str, list] = {}
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Headers and body go in one piece.
            wbufsize = -1
            disable_nagle_algorithm = True

            def log_message(self, format, *args):
                pass

            def answer(self, status: int, headers: dict, body: str):
                content = body.encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def do_GET(self):
                url = urlsplit(self.path)
                found = server.pages.get(url.path)
                if found is None:
                    return self.answer(404, {}, "{}")
                headers, body = found({name: values[0] for name, values in parse_qs(url.query).items()})
                self.answer(200, headers, body)

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                try:
                    record = parsed(body)
                except ValueError as error:
                    # The run fails, and says why.
                    return self.answer(400, {}, json.dumps({"error": f"{error}: {body[:200]}"}))
                server.taken.setdefault(urlsplit(self.path).path, []).append(record)
                self.answer(200, {}, "{}")

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


class Api(JsonLines):
    """Records of a JSON API, as a source and as a target."""

    slot = "http"
    # Whatever is nested has a table's columns there, too, but bytes are written in another way.
    kinds = KINDS
    section = ("http", "http")

    def __init__(self, server: Server):
        self.server = server

    def connector(self):
        return {"type": "http", "config": {"base_url": self.server.url, "allow_private": True}, "secrets": {}}

    def options(self, rng):
        return {
            "paginate": rng.choice(("none", "page", "offset", "cursor", "link", "next_url")), "size": rng.choice((1, 2, 5, 1000)), "ascii": rng.random() < 0.5,
            "records": rng.random() < 0.5, "send": rng.choice(("row", "batch")),
        }  # fmt: skip

    def source(self, table, columns, options):
        kind = options["paginate"]
        paginate = {"kind": kind} if kind == "none" else {"kind": kind, "max_pages": 1_000_000, "allow_repeats": True}
        paginate |= {"page": {"param": "page"}, "offset": {"param": "from"}, "cursor": {"param": "after", "from": "next"}, "next_url": {"from": "next"}}.get(kind, {})
        records = {"records": "data.items"} if wrapped(options) else {}
        return {"path": f"/{table}", "paginate": paginate, **records, **self.declared(columns)}

    def target(self, table, options):
        batch = {"batch": {"rows": options["size"]}} if options["send"] == "batch" else {}
        return {"path": f"/{table}", "send": options["send"], **batch} | ({"wrap": "rows"} if options["records"] else {})

    def write(self, table, columns, rows, options):
        records = records_of(columns, rows, options["ascii"])
        # A thousand requests say no more than a few.
        size = max(options["size"], len(records) // 50, 1)
        kind = options["paginate"]

        def page(query: dict):
            start = {
                "none": lambda: 0, "page": lambda: (int(query.get("page", 1)) - 1) * size, "offset": lambda: int(query.get("from", 0)),
            }.get(kind, lambda: int(query.get("after", 0)))()  # fmt: skip
            end = len(records) if kind == "none" else start + size
            more = end < len(records)
            address = f"{self.server.url}/{table}?after={end}"
            listed = "[" + ",".join(records[start:end]) + "]"
            following = {"cursor": f'"{end}"', "next_url": json.dumps(address)}.get(kind, "null") if more else "null"
            body = f'{{"data": {{"items": {listed}}}, "next": {following}}}' if wrapped(options) else listed
            return ({"Link": f'<{address}>; rel="next"; title="a \\"b\\", c"'} if kind == "link" and more else {}), body

        self.server.pages[f"/{table}"] = page

    def read(self, table, options):
        bodies = self.server.taken.get(f"/{table}", [])
        if options["records"]:
            bodies = [body["rows"] for body in bodies]
        return rows_of(bodies if options["send"] == "row" else [record for body in bodies for record in body])

    def of_native(self, column, raw):
        if raw is not None and column.kind == "bytes":
            try:
                return base64.b64decode(raw, validate=True)
            except (ValueError, TypeError):
                return Other(repr(raw))
        if column.kind == "timestamp" and isinstance(raw, str):
            return of_text(column, raw[:-1]) if raw.endswith("Z") else Other(f"without Z: {raw!r}")
        return super().of_native(column, raw)

    def drop(self, table, options):
        self.server.pages.pop(f"/{table}", None)
        self.server.taken.pop(f"/{table}", None)


def wrapped(options: dict) -> bool:
    """Whether the records stand inside of an object: the next page is named there."""
    return options["records"] or options["paginate"] in ("cursor", "next_url")


EDM = {
    "bool": "Edm.Boolean", "int": "Edm.Int64", "decimal": "Edm.Decimal", "double": "Edm.Double", "text": "Edm.String", "bytes": "Edm.Binary",
    "date": "Edm.Date", "time": "Edm.TimeOfDay", "timestamptz": "Edm.DateTimeOffset", "uuid": "Edm.Guid",
}  # fmt: skip


class OData:
    """A service of one entity set a table."""

    slot = "odata"
    section = "odata"
    kinds = source_kinds = tuple(EDM)
    # Its names are identifiers.
    plain_names = True

    def __init__(self, server: Server):
        self.server = server

    def connector(self):
        return {"type": "odata", "config": {"base_url": f"{self.server.url}/{self.table}", "allow_private": True}, "secrets": {}}

    def read_kind(self, column):
        return column.of("timestamp") if column.kind == "timestamptz" else column

    def holds(self, column, value):
        return True

    def source(self, table, columns):
        # Without the key.
        return {"entity": "Rows", "select": [c.name for c in columns]}

    def write(self, table, columns, rows, key=None, unique=False):
        self.table = table
        root = f"/{table}"
        facets = {c.name: f' Precision="{c.digits}" Scale="{c.places}"' if c.kind == "decimal" else "" for c in columns}
        properties = "".join(f"<Property Name={quoteattr(c.name)} Type={quoteattr(EDM[c.kind])}{facets[c.name]}/>" for c in columns)
        described = (
            '<?xml version="1.0"?><edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>'
            '<Schema Namespace="s" xmlns="http://docs.oasis-open.org/odata/ns/edm">'
            f'<EntityType Name="Row"><Key><PropertyRef Name="number"/></Key><Property Name="number" Type="Edm.Int64" Nullable="false"/>{properties}</EntityType>'
            '<EntityContainer Name="c"><EntitySet Name="Rows" EntityType="s.Row"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>'
        )
        records = ["{" + ",".join(f"{json.dumps(c.name)}:{odata_token(c, v)}" for c, v in zip(columns, row)) + "}" for row in rows]
        size = max(3, len(records) // 50)

        def page(query: dict):
            start = int(query.get("$skiptoken", 0))
            end = start + size
            following = f',"@odata.nextLink":"Rows?$skiptoken={end}"' if end < len(records) else ""
            return {"OData-Version": "4.0"}, f'{{"@odata.context":"$metadata#Rows","value":[{",".join(records[start:end])}]{following}}}'

        self.server.pages[f"{root}/$metadata"] = lambda query: ({"Content-Type": "application/xml", "OData-Version": "4.0"}, described)
        self.server.pages[f"{root}/Rows"] = page

    def drop(self, table):
        for part in ("$metadata", "Rows"):
            self.server.pages.pop(f"/{table}/{part}", None)


def odata_token(column: Column, value) -> str:
    kind = column.kind
    if value is None:
        return "null"
    if kind == "double" and not abs(value) < float("inf"):
        return {"inf": '"INF"', "-inf": '"-INF"'}.get(str(value), '"NaN"')
    if kind == "bytes":
        return json.dumps(base64.urlsafe_b64encode(value).decode())
    if kind == "timestamptz":
        return json.dumps(value.isoformat().replace("+00:00", "Z"))
    return token(column, value, False)
