"""What was downloaded is not downloaded again (tools/fetch/fetch.py): pip fetches two wheels from an index of this test, which
refuses the second one at first."""
import hashlib
import http.server
import io
import os
import pathlib
import sys
import tempfile
import threading
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/fetch"))
import fetch  # noqa: E402


def wheel(name):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(f"{name}/text.txt", name)
        archive.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{name}-1.0.dist-info/RECORD", "")
    return made.getvalue()


WHEELS = {f"{name}-1.0-py3-none-any.whl": wheel(name) for name in ("first", "second")}


class Index(http.server.BaseHTTPRequestHandler):
    asked, refused = [], "second-1.0-py3-none-any.whl"

    def do_GET(self):
        name = self.path.strip("/").split("/")[-1]
        if name in WHEELS:
            self.asked.append(name)
            text = WHEELS[name] if name != self.refused else None
        else:
            text = f'<a href="/files/{name}-1.0-py3-none-any.whl">{name}-1.0-py3-none-any.whl</a>'.encode()
        self.send_response(404 if text is None else 200)
        self.send_header("Content-Type", "text/html" if name not in WHEELS else "application/octet-stream")
        self.send_header("Content-Length", str(len(text or b"")))
        self.end_headers()
        self.wfile.write(text or b"")

    def log_message(self, *_):
        pass


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name in [name for name in os.environ if name.upper() in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY") or name.startswith("PIP_")]:
        del os.environ[name]
    os.environ.update(PIP_INDEX_URL=f"http://127.0.0.1:{server.server_port}/simple", PIP_CONFIG_FILE="/dev/null", PIP_RETRIES="0")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        listed = folder / "list.txt"
        lines = [f"{file.split('-')[0]}==1.0 --hash=sha256:{hashlib.sha256(text).hexdigest()}\n" for file, text in WHEELS.items()]
        listed.write_text("# two wheels\n\n" + "".join(lines))
        (folder / "work").mkdir()
        try:
            fetch.download(listed, folder / "kept", folder / "work", 1, False)
            sys.exit("a file that the index refuses was fetched")
        except fetch.Failed as failed:
            assert str(failed).startswith("second: it could not be downloaded"), failed
        Index.refused = ""
        (folder / "again").mkdir()
        got = fetch.download(listed, folder / "kept", folder / "again", 1, False)
        assert [path.name for path in got] == sorted(WHEELS), got
        assert Index.asked.count("first-1.0-py3-none-any.whl") == 1, Index.asked
    print("the first of two files was fetched once, the second after a failure")


if __name__ == "__main__":
    main()
