"""The engine: a worker of it in a Node process that lives as long as it can, or the `headgate` command, a process for each run."""

import json
import os
import select
import subprocess
from pathlib import Path


class Engine:
    """`worker`, `command`: what starts them; `folder`: exists, and is theirs."""

    def __init__(self, worker: list[str], command: list[str], folder: Path):
        self.worker = worker
        self.command = command
        self.folder = folder
        self.process: subprocess.Popen | None = None

    def run(self, request: dict, alone: bool) -> dict:
        """`status`, `error`, `lane`, `item_count`, `state`, `told` (warnings, of a worker alone); status `crashed` or `hung` where no answer came. `alone`: in a process of its own."""
        return self.run_alone(request) if alone else self.run_warm(request)

    def run_warm(self, request: dict) -> dict:
        if self.process is None:
            self.process = subprocess.Popen(self.worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.say(str(self.folder))
        self.say(json.dumps(request))
        process = self.process
        assert process.stdout
        if not select.select([process.stdout], [], [], patience())[0]:
            self.stop()
            return nothing("hung")
        line = process.stdout.readline()
        if line == b"":
            self.stop()
            return nothing("crashed")
        return json.loads(line)

    def say(self, line: str):
        assert self.process and self.process.stdin
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def run_alone(self, request: dict) -> dict:
        task, connectors = (self.folder.with_name(f"{self.folder.name}-{name}") for name in ("task.yaml", "connectors.yaml"))
        task.write_text(request["yaml"])
        environment = dict(os.environ)
        slots = {}
        for slot, bound in request["connectors"].items():
            secrets = {}
            for name, value in bound["secrets"].items():
                environment[variable := f"SECRET_{slot}_{name}".upper()] = value
                secrets[name] = {"env": variable}
            slots[slot] = {"type": bound["type"], "config": bound["config"], "secrets": secrets}
        connectors.write_text(json.dumps(slots))
        given = [*self.command, "run", str(task), "--connectors", str(connectors), "--json"]
        try:
            done = subprocess.run(given, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=patience())
        except subprocess.TimeoutExpired:
            return nothing("hung")
        if done.returncode not in (0, 1) or done.stdout == b"":
            return nothing("crashed") | {"error": {"code": "", "message": done.stderr.decode(errors="replace")}}
        outcome = json.loads(done.stdout)
        if isinstance(outcome, list):
            return nothing("failed") | {"error": {"code": "TASK_INVALID", "message": done.stdout.decode()}}
        return {"error": None, "state": None, "told": []} | outcome | {"lane": outcome["metrics"]["lane"]}

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def patience() -> float:
    """After how many seconds without an answer a run hangs: more where many others want the processors."""
    return 300 * max(1, os.getloadavg()[0] / (os.cpu_count() or 1))


def nothing(status: str) -> dict:
    return {"status": status, "error": None, "lane": "?", "item_count": None, "reject_count": 0, "state": None, "told": []}
