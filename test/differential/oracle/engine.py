"""The engine, in a Node process of its own that lives as long as it can."""

import json
import select
import subprocess


class Engine:
    def __init__(self, command: list[str], seconds: float = 180):
        self.command = command
        self.seconds = seconds
        self.process: subprocess.Popen | None = None

    def run(self, request: dict) -> dict:
        """`status`, `error`, `lane`, `item_count`; status `crashed` or `hung` where no answer came."""
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process = self.process
        assert process.stdin and process.stdout
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        if not select.select([process.stdout], [], [], self.seconds)[0]:
            self.stop()
            return {"status": "hung", "error": None, "lane": "?", "item_count": None}
        line = process.stdout.readline()
        if line == b"":
            self.stop()
            return {"status": "crashed", "error": None, "lane": "?", "item_count": None}
        return json.loads(line)

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
