"""What was acknowledged is there after `kill -9`, and the commands that end at once: restart_test.py WARPLENS."""
import contextlib
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support  # noqa: E402


class Restart(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.store = pathlib.Path(self.folder.name) / "store"

    def tearDown(self):
        self.folder.cleanup()

    def join(self, server, name):
        client = support.Client(server.address)
        self.addCleanup(client.http.close)
        client.resume_code = client.post("/api/join", {"name": name, "code": server.code}).json()["resume_code"]
        return client

    def test_a_class_of_an_older_version_goes_on(self):
        server = support.AsProcess(self.store)
        ada = self.join(server, "Ada")
        ada.post("/api/hand_in", {"challenge": "bounds_check", "source": support.answer("right.cu")})
        server.kill()
        with contextlib.closing(sqlite3.connect(self.store / "class.sqlite")) as older:
            older.execute("ALTER TABLE hand_ins DROP COLUMN language")
            older.execute("UPDATE alembic_version SET version_num = '0001'")
            older.commit()
        server = support.AsProcess(self.store)
        self.addCleanup(server.kill)
        ada = support.Client(server.address, cookies=ada.http.cookies)
        self.addCleanup(ada.http.close)
        (one,) = ada.get("/api/hand_ins").json()
        self.assertEqual((one["language"], one["verdict"]["stars"]), ("cuda", 3))

    def test_nothing_that_was_acknowledged_is_lost(self):
        import httpx  # noqa: PLC0415
        server = support.AsProcess(self.store)
        students = [self.join(server, f"Student {i}") for i in range(4)]
        acknowledged = {}

        def work(number, student):
            with contextlib.suppress(httpx.HTTPError):
                for i in range(10_000):
                    if student.post("/api/progress", {"place": {"lesson": "who_am_i", "step": str(i)}, "progress": {"n": i}}).is_success:
                        acknowledged[number] = i

        threads = [threading.Thread(target=work, args=one) for one in enumerate(students)]
        for thread in threads:
            thread.start()
        handed_in = self.join(server, "Hands in")
        enough = threading.Event()
        enough.wait(1)
        waiting = threading.Thread(target=self.hand_in, args=(handed_in,))
        waiting.start()
        for _ in range(600):  # until it is stored; most often it is not judged then
            if self.rows(self.store / "class.sqlite", "SELECT id FROM hand_ins"):
                break
            enough.wait(0.05)
        server.kill()
        for thread in [*threads, waiting]:
            thread.join()
        self.assertEqual(len(acknowledged), 4)
        server_again = support.AsProcess(self.store)
        self.assertEqual((server_again.code, server_again.token), (server.code, server.token))
        for number, student in enumerate(students):
            again = support.Client(server_again.address, cookies=dict(student.http.cookies))
            self.addCleanup(again.http.close)
            self.assertGreaterEqual(again.get("/api/me").json()["progress"]["n"], acknowledged[number])
            resumed = again.post("/api/resume", {"name": f"Student {number}", "code": student.resume_code})
            self.assertEqual(resumed.status_code, 200)
        again = support.Client(server_again.address, cookies=dict(handed_in.http.cookies))
        self.addCleanup(again.http.close)
        for _ in range(600):  # until it is judged
            found = again.get("/api/hand_ins").json()
            if found and found[0]["verdict"]:
                break
            enough.wait(0.1)
        self.assertEqual([one["verdict"]["stars"] for one in found], [3])
        server_again.close()
        self.assertEqual(self.rows(self.store / "class.sqlite", "PRAGMA integrity_check"), [("ok",)])

    def rows(self, file, query):
        with contextlib.closing(sqlite3.connect(file)) as database:
            return database.execute(query).fetchall()

    def names_in(self, file):
        with zipfile.ZipFile(file) as archive:
            return archive.namelist()

    def hand_in(self, client):
        import httpx  # noqa: PLC0415
        with contextlib.suppress(httpx.HTTPError):
            client.post("/api/hand_in", {"challenge": "bounds_check", "source": support.answer("right.cu")})

    def command(self, *words):
        return subprocess.run([sys.executable, "-m", "warplens.serve", "--class", "GPU 101", "--store", str(self.store), *words],
                              capture_output=True, text=True, check=False, timeout=60)

    def test_one_server_and_commands_while_it_runs(self):
        self.assertIn("no class.sqlite", self.command("--forget", "Ada").stderr)
        server = support.AsProcess(self.store)
        try:
            self.assertRegex(server.address, r"^http://127\.0\.0\.1:")
            ada = self.join(server, "Ada")
            self.join(server, "Bob")
            self.assertIn("Another server", self.command("--port", "0").stderr)
            backup, archive = (pathlib.Path(self.folder.name) / name for name in ("copy.sqlite", "class.zip"))
            self.assertEqual(self.command("--backup", str(backup)).returncode, 0)
            self.assertEqual(self.rows(backup, "SELECT name FROM students ORDER BY id"), [("Ada",), ("Bob",)])
            self.assertEqual(self.command("--export", str(archive)).returncode, 0)
            self.assertNotIn("Ada", str(self.names_in(archive)))
            self.assertEqual(self.command("--export", str(archive), "--names").returncode, 0)
            self.assertIn("Ada/progress.json", self.names_in(archive))
            self.assertIn("no student", self.command("--forget", "Eve").stderr)
            self.assertEqual(self.command("--forget", "ada").returncode, 0)
            self.assertEqual(ada.get("/api/me").status_code, 401)
        finally:
            server.close()
        self.assertNotIn(b"Ada", (self.store / "class.sqlite").read_bytes())  # nor what was deleted


if __name__ == "__main__":
    support.main()
