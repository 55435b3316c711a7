"""Headers out of a wheel (tools/fetch/fetch.py), from a web server of this test: only their parts of the file are fetched, and
what is not as expected is refused."""
import http.server
import io
import pathlib
import re
import sys
import tempfile
import threading
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/fetch"))
import fetch  # noqa: E402

HEADERS = {"nvidia/cu13/include/cublas_v2.h": b"// a header\n", "nvidia_cublas-13.dist-info/licenses/License.txt": b"the licence\n"}
LIBRARY = bytes(range(256)) * 40_000  # 10 MB that are not needed


def wheel():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("nvidia/cu13/lib/libcublas.so.13", LIBRARY)
        for name, text in HEADERS.items():
            archive.writestr(name, text)
        archive.writestr("nvidia_cublas-13.dist-info/RECORD", b"")
    return made.getvalue()


class Server(http.server.BaseHTTPRequestHandler):
    content, sent, knows_ranges = wheel(), 0, True

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.content)))
        self.end_headers()

    def do_GET(self):
        first, last = map(int, re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["Range"]).groups())
        part = self.content[first:last + 1] if self.knows_ranges else self.content
        self.send_response(206 if self.knows_ranges else 200)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        try:
            self.wfile.write(part)
        except OSError:  # the client has closed the connection
            pass
        Server.sent += len(part)

    def log_message(self, *_):
        pass


def refused(url, sha256, folder):
    try:
        fetch.fetch_headers({"url": url, "sha256": sha256}, folder)
    except fetch.Failed as error:
        return str(error)
    return ""


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/wheel.whl"
    with tempfile.TemporaryDirectory() as folder:
        said = refused(url, "0" * 64, folder)
        hashed = re.search(r"SHA-256 of its headers: (\w{64})", said)
        assert hashed, said
        Server.sent = 0
        into = pathlib.Path(folder, "taken")
        fetch.fetch_headers({"url": url, "sha256": hashed.group(1)}, into)
        assert Server.sent < 2 * 2**20, f"{Server.sent} bytes of {len(Server.content)}"
        found = {path.relative_to(into).as_posix(): path.read_bytes() for path in into.rglob("*") if path.is_file()}
        assert found == HEADERS, sorted(found)
        Server.knows_ranges = False
        assert "whole files only" in refused(url, hashed.group(1), folder)
        server.shutdown()
        server.server_close()
        assert "could not be fetched" in refused(url, hashed.group(1), folder)
    return 0


sys.exit(main())
