"""A server of a class for tests: in this process, so that a test can change a limit, or as a process that can be killed."""
import asyncio
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
READY = "WARPLENS_SERVE_TEST_READY"
HAS_NUMBA = "WARPLENS_PYTHON" in os.environ  # main() looks for it
WRONG = 'extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {\n  syntax error\n}\n'


def answer(name, challenge="bounds_check"):
    return (ROOT / "assets" / "challenges" / challenge / name).read_text(encoding="utf-8")


def main():
    """Runs the tests of a file in the Python that has the server's packages: FILE WARPLENS [arguments of unittest]."""
    if READY not in os.environ:
        sys.path.insert(0, str(ROOT / "tests" / "programs"))
        import packages  # noqa: PLC0415
        for program in ("bwrap", "clang"):
            if shutil.which(program) is None:
                print(f"skipped: no {program} on this machine")
                sys.exit(SKIPPED)
        if subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], capture_output=True, check=False).returncode:
            print("skipped: bubblewrap does not work on this machine")
            sys.exit(SKIPPED)
        python = packages.environment("serve")
        if python is None:
            sys.exit(SKIPPED)
        with_numba = packages.environment("numba-cuda")
        if with_numba is not None:
            os.environ.setdefault("WARPLENS_PYTHON", str(with_numba))
        os.environ.update({READY: "1", "WARPLENS_PROGRAM": os.path.abspath(sys.argv[1]), "PYTHONPATH": str(ROOT / "app" / "python")})
        os.environ.pop("WARPLENS_COMPILER", None)
        sys.exit(subprocess.run([python, "-B", sys.argv[0], *sys.argv[2:]], check=False).returncode)
    unittest.main(verbosity=1)


class Client:
    """Somebody's browser: it keeps cookies."""

    def __init__(self, address, **more):
        import httpx  # noqa: PLC0415
        self.address = address
        self.http = httpx.Client(base_url=address, timeout=30, verify=False, **more)

    def get(self, path, **more):
        return self.http.get(path, **more)

    def post(self, path, body=None, **more):
        return self.http.post(path, json={} if body is None else body, **more)

    def states(self, path, most, seconds=20):
        """The first states of a stream."""
        found = []
        with self.http.stream("GET", path, timeout=seconds) as stream:
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    found.append(json.loads(line[6:]))
                    if len(found) == most:
                        return found
        return found


class InProcess:
    """A server in a thread of this process."""

    def __init__(self, **changes):
        from warplens.serve import __main__ as command  # noqa: PLC0415
        from warplens.serve.app import Class, application  # noqa: PLC0415
        from warplens.serve.settings import Settings  # noqa: PLC0415
        import uvicorn  # noqa: PLC0415
        self.folder, self._clients = tempfile.TemporaryDirectory(), []
        self.settings = Settings(**{"store": pathlib.Path(self.folder.name) / "store", "class_name": "GPU 101",
                                    "names": frozenset({"127.0.0.1", "localhost"}), **changes})
        self.store, self.identity, self.code = command._open(self.settings)
        programs = asyncio.run(command._checked_programs(self.settings, self.store))
        self.served = Class(self.settings, self.store, self.identity, programs, 2)
        bound = command._bind(Settings(store=self.settings.store, class_name="", port=0))
        self.port = bound.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(application(self.served), http=command.Connection, ws="none", log_level="warning",
                                access_log=False, timeout_graceful_shutdown=1, server_header=False)
        self._server = command.Server(config, self.served)
        self._thread = threading.Thread(target=self._server.run, args=([bound],), daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)

    def client(self, **more):
        self._clients.append(Client(self.address, **more))
        return self._clients[-1]

    def student(self, name):
        client = self.client()
        joined = client.post("/api/join", {"name": name, "code": self.code})
        assert joined.status_code == 200, joined.text
        client.resume_code = joined.json()["resume_code"]
        return client

    def teacher(self):
        client = self.client()
        assert client.post("/api/teacher/enter", {"token": self.identity.teacher_token}).status_code == 200
        return client

    def raw(self, data, seconds=5):
        """What the server says to these bytes, until it closes the connection or for so long."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            connection.sendall(data)
            said = b""
            with contextlib.suppress(TimeoutError):
                while piece := connection.recv(65536):
                    said += piece
            return said

    def close(self):
        for client in self._clients:
            client.http.close()
        self._server.should_exit = True
        self._thread.join()
        self.store.close()
        self.folder.cleanup()


class AsProcess:
    """`python -m warplens.serve`."""

    def __init__(self, store, *words, environment=(), python=sys.executable):
        self.process = subprocess.Popen([python, "-m", "warplens.serve", "--class", "GPU 101", "--store", str(store),
                                         "--port", "0", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **dict(environment)})
        self.said = ""
        while not self.said.endswith("stays.\n"):
            line = self.process.stdout.readline()
            if not line:
                self.said += self.process.stderr.read()
                self._end()
                raise AssertionError(self.said)
            self.said += line
        self.address = re.search(r"students\s+(\S+)/", self.said)[1]
        self.code = re.search(r"class code\s+(\S+)", self.said)[1]
        self.token = re.search(r"teacher#(\S+)", self.said)[1]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self._end()

    def close(self):
        self.process.send_signal(signal.SIGINT)
        self._end()

    def _end(self):
        self.process.wait(30)
        self.process.stdout.close()
        self.process.stderr.close()
