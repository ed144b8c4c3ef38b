"""Where files lie: a folder, a folder behind SFTP, a bucket of S3. Each with a client of its own."""

import io
from pathlib import Path

from minio import Minio
from minio.error import S3Error


class Folder:
    def __init__(self, root: Path):
        self.root = root

    def connector(self) -> dict:
        return {"type": "file", "config": {"root": str(self.root)}, "secrets": {}}

    def put(self, name: str, content: bytes):
        # In one go: whoever reads meanwhile has the old file or the new one.
        part = self.root / f".{name}.part"
        part.write_bytes(content)
        part.replace(self.root / name)

    def get(self, name: str) -> bytes | None:
        path = self.root / name
        return path.read_bytes() if path.exists() else None

    def remove(self, name: str):
        (self.root / name).unlink(missing_ok=True)


class Sftp(Folder):
    """A folder of this machine, to which the engine comes through the SSH server."""

    def __init__(self, root: Path, server: dict):
        super().__init__(root)
        self.server = server

    def connector(self):
        config = {"host": "127.0.0.1", "port": self.server["port"], "user": self.server["user"], "root": str(self.root), "host_key": self.server["fingerprint"]}
        return {"type": "sftp", "config": config, "secrets": {"private_key": self.server["privateKey"]}}


class Bucket:
    def __init__(self, server: dict, prefix: str):
        self.server = server
        self.prefix = prefix
        self.client = Minio(server["endpoint"].removeprefix("http://"), server["accessKey"], server["secretKey"], secure=False, region="us-east-1")

    def connector(self) -> dict:
        config = {
            "endpoint": self.server["endpoint"], "region": "us-east-1", "bucket": self.server["bucket"], "prefix": self.prefix, "path_style": True,
            "access_key_id": self.server["accessKey"],
        }  # fmt: skip
        return {"type": "s3", "config": config, "secrets": {"secret_access_key": self.server["secretKey"]}}

    def put(self, name: str, content: bytes):
        self.client.put_object(self.server["bucket"], f"{self.prefix}/{name}", io.BytesIO(content), len(content))

    def get(self, name: str) -> bytes | None:
        try:
            answer = self.client.get_object(self.server["bucket"], f"{self.prefix}/{name}")
        except S3Error as error:
            if error.code == "NoSuchKey":
                return None
            raise
        try:
            return answer.read()
        finally:
            answer.release_conn()

    def remove(self, name: str):
        self.client.remove_object(self.server["bucket"], f"{self.prefix}/{name}")
