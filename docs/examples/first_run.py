"""Makes two connectors, a task and a job, runs the job, prints its log as it is written, and what it put out."""
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

server = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:4717"
folder = sys.argv[2] if len(sys.argv) > 2 else os.getcwd()
key = os.environ.get("HEADGATE_KEY", "")

TASK = """etl: 1
kind: pipeline
name: sales.by_month
connectors:
  files: {type: file, access: read}
  shop: {type: sqlite, access: write}
source:
  connector: files
  files: {glob: orders.csv}
steps:
  - sql: |
      SELECT strftime(ordered_on, '%Y-%m') AS month, count(*) AS orders, sum(amount) AS revenue
      FROM stream GROUP BY month
target: {connector: shop, table: sales_by_month, mode: upsert, key: [month]}
outputs: {months: "${{ run.item_count }}"}
"""
TEMPLATE = """etl: 1
kind: job
name: sales.monthly
connectors: {files: {type: file}, shop: {type: sqlite}}
tasks:
  by_month: {task: sales.by_month, connectors: {files: files, shop: shop}}
"""


def send(method, path, body=None, **headers):
    request = urllib.request.Request(
        f"{server}/api{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json", **headers},
    )
    try:
        return urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        answer = json.load(error)
        places = "".join(f"\n  {one['path']}: {one['message']}" for one in answer.get("details", []))
        sys.exit(f"{method} {path}: {answer['error']}: {answer['message']}{places}")


def call(method, path, body=None, **headers):
    with send(method, path, body, **headers) as response:
        return json.load(response)


def ensure(where, name, create, body):
    """The record of that name, made when it is not there yet."""
    page = call("GET", f"{where}?q={urllib.parse.quote(name)}")
    for one in page["result"]:
        if one["name"] == name:
            return one["id"]
    return call("POST", create, body)["id"]


def follow(run_id):
    """Prints the log of a run until the run is over."""
    with send("GET", f"/runs/{run_id}/logs", Accept="text/event-stream") as stream:
        kind = ""
        for raw in stream:
            field, _, value = raw.decode().rstrip("\n").partition(": ")
            if field == "event":
                kind = value
                if kind == "end":
                    return
            elif field == "data" and kind == "line":
                line = json.loads(value)
                print(f"{line['at']} {line['level']:<5} {line['message']}")


files = ensure("/connectors", "sales files", "/connectors",
               {"name": "sales files", "type": "file", "config": {"root": folder}})
shop = ensure("/connectors", "sales shop", "/connectors",
              {"name": "sales shop", "type": "sqlite", "config": {"path": f"{folder}/shop.db"}})
ensure("/tasks", "sales.by_month", "/tasks", {"yaml_content": TASK})
template = ensure("/job-templates", "sales.monthly", "/job-templates", {"yaml_content": TEMPLATE})
job = ensure("/jobs", "sales monthly", f"/job-templates/{template}/jobs",
             {"name": "sales monthly", "connector_mapping": {"files": files, "shop": shop}})

# The same key again would give this job run again, not a second one.
started = call("POST", f"/jobs/{job}/run", {}, **{"Idempotency-Key": str(uuid.uuid4())})
print(f"Job run {started['id']} has started")

followed = set()
while True:
    graph = call("GET", f"/job-runs/{started['id']}/graph")
    for node in graph["nodes"]:
        if node["run_id"] is not None and node["run_id"] not in followed:
            followed.add(node["run_id"])
            follow(node["run_id"])
    if graph["job_run"]["status"] in ("completed", "failed", "cancelled"):
        break
    time.sleep(0.2)

for node in graph["nodes"]:
    print(f"{node['key']}: {node['status']}, outputs {node['outputs'] or 'none'}")
if graph["job_run"]["status"] != "completed":
    sys.exit(f"The job run ended as {graph['job_run']['status']}: {graph['job_run']['error_message'] or ''}")
