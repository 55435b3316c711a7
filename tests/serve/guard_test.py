"""What the server keeps out: guard_test.py WARPLENS. Each case fails when the part that it is about is taken out."""
import asyncio
import concurrent.futures
import contextlib
import hmac
import io
import os
import pathlib
import stat
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support  # noqa: E402

KERNEL = {"name": "kernel.cu", "compute_capability": "8.6"}
SCRIPT = "<script>alert(1)</script>"
# Templates that instantiate two more each, and macros that are ten of the last one.
ENDLESS = "template <int N, int M> struct A { static const int v = A<N + 1, M * 2>::v + A<N + 1, M * 2 + 1>::v; };\n" \
          "template <int M> struct A<40, M> { static const int v = M; };\nint x = A<0, 1>::v;\n"
BOMB = "#define A0 x x x x x x x x x x\n" + "".join(f"#define A{i} {f'A{i - 1} ' * 10}\n" for i in range(1, 12)) + "A11\n"


class Refusals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        window = pathlib.Path(cls.folder.name) / "window"
        window.mkdir()
        (window / "index.html").write_text("the window")
        (window.parent / "secret.txt").write_text("secret")
        (window / "link").symlink_to(window.parent / "secret.txt")
        cls.server = support.InProcess(page=window)
        cls.ada = cls.server.student("Ada")

    @classmethod
    def tearDownClass(cls):
        cls.server.close()
        cls.folder.cleanup()

    def routes(self):
        from warplens.serve import app  # noqa: PLC0415
        return [("GET", path) for path in app._GET] + [("POST", path) for path in app._POST]

    def test_no_code_no_entry(self):
        outsider = self.server.client()
        open_to_all = {"/", "/teacher", "/files/{name}", "/api/join", "/api/resume", "/api/teacher/enter", "/api/leave"}
        for method, path in self.routes():
            if path in open_to_all:
                continue
            body = {} if method == "POST" else None
            self.assertEqual(outsider.http.request(method, path, json=body).status_code, 401, path)
            if path.startswith("/api/teacher"):  # nor does a student see what the teacher sees
                self.assertEqual(self.ada.http.request(method, path, json=body).status_code, 401, path)
        self.assertEqual(outsider.post("/api/join", {"name": "Eve", "code": "AAAA-AAAA"}).status_code, 403)
        self.assertEqual(outsider.post("/api/teacher/enter", {"token": "0" * 64}).status_code, 403)

    def test_a_name_alone_opens_no_work(self):
        outsider = self.server.client()
        self.assertEqual(outsider.post("/api/join", {"name": "ADA ", "code": self.server.code}).status_code, 409)
        self.assertEqual(outsider.post("/api/resume", {"name": "Ada", "code": self.server.code}).status_code, 403)
        self.assertEqual(outsider.get("/api/me").status_code, 401)

    def test_a_forged_session_is_none(self):
        from warplens.serve.identity import Identity  # noqa: PLC0415
        for forged in (Identity("another key", "").session({"student": 1, "epoch": 1}), "1", "null", "",
                       self.server.identity.session({"student": 1, "epoch": 7}), self.server.identity.session({"student": "1"})):
            self.assertEqual(self.server.client(cookies={"warplens": forged}).get("/api/me").status_code, 401, forged)
        self.assertEqual(self.server.client(cookies={"warplens_teacher": self.server.identity.session({"student": 1, "epoch": 1})})
                         .get("/api/teacher/class").status_code, 401)

    def test_sessions_grow_old(self):
        from warplens.serve import identity  # noqa: PLC0415
        session = self.server.identity.session({"teacher": True})
        with mock.patch.object(identity, "TEACHERS_SECONDS", -1):
            self.assertIsNone(self.server.identity.read_session(session))
        self.assertIsNotNone(self.server.identity.read_session(session))

    def test_cookies_are_of_this_site_and_not_for_scripts(self):
        cookie = self.server.client().post("/api/join", {"name": "Cookie", "code": self.server.code}).headers["set-cookie"].lower()
        self.assertIn("httponly", cookie)
        self.assertIn("samesite=strict", cookie)
        self.assertNotIn("domain", cookie)

    def test_codes_are_compared_in_constant_time(self):
        from warplens.serve import identity  # noqa: PLC0415
        with mock.patch.object(identity.hmac, "compare_digest", wraps=hmac.compare_digest) as compare:
            who = self.server.client()
            who.post("/api/join", {"name": "Timed", "code": "wrong"})
            who.post("/api/resume", {"name": "Ada", "code": "wrong"})
            who.post("/api/resume", {"name": "No such student", "code": "wrong"})
            who.post("/api/teacher/enter", {"token": "wrong"})
            self.assertEqual(compare.call_count, 4)

    def test_tries_of_a_name_are_limited(self):
        victim, other = self.server.student("Victim"), self.server.student("Other")
        guesser = self.server.client()
        for _ in range(10):
            self.assertEqual(guesser.post("/api/resume", {"name": "Victim", "code": "x"}).status_code, 403)
        self.assertEqual(guesser.post("/api/resume", {"name": "vicTIM", "code": victim.resume_code}).status_code, 429)
        # The class has one address: others come in, and who is in stays in.
        self.assertEqual(guesser.post("/api/resume", {"name": "Other", "code": other.resume_code}).status_code, 200)
        self.assertEqual(victim.get("/api/me").status_code, 200)
        # The teacher gives a new code, which ends the old one and its sessions.
        teacher = self.server.teacher()
        number = next(one["id"] for one in teacher.get("/api/teacher/class?names=1").json()["students"] if one["name"] == "Victim")
        code = teacher.post("/api/teacher/code", {"student": number}).json()["resume_code"]
        self.assertEqual(victim.get("/api/me").status_code, 401)
        self.assertEqual(victim.post("/api/resume", {"name": "Victim", "code": victim.resume_code}).status_code, 403)
        self.assertEqual(victim.post("/api/resume", {"name": "Victim", "code": code}).status_code, 200)

    def test_tries_of_an_address_are_limited(self):
        from warplens.serve.identity import Tries  # noqa: PLC0415
        with mock.patch.object(self.server.served, "tries_of_address", Tries(20, 600)):
            guesser = self.server.client()
            told = [guesser.post("/api/join", {"name": f"Guess {i}", "code": "x"}).status_code for i in range(21)]
        self.assertEqual(told, [403] * 20 + [429])

    def test_tries_are_forgotten_in_time(self):
        from warplens.serve.identity import Tries  # noqa: PLC0415
        now = 0.0
        tries = Tries(2, 10, lambda: now)
        tries.note_wrong("a")
        tries.note_wrong("a")
        self.assertTrue(tries.are_over("a"))
        now = 11.0
        self.assertFalse(tries.are_over("a"))
        for i in range(tries._MOST_KNOWN + 5):
            tries.note_wrong(str(i))
        self.assertEqual(len(tries._wrong), tries._MOST_KNOWN)

    def test_no_student_sees_the_work_of_another(self):
        bert, mallory = self.server.student("Bert"), self.server.student("Mallory")
        bert.post("/api/hand_in", {"challenge": "bounds_check", "source": "// of Bert"})
        bert.post("/api/progress", {"place": {}, "progress": {"secret": 1}})
        for path in ("/api/hand_ins", "/api/me"):
            for more in ("", "?student=1", f"?student={2}"):
                self.assertNotRegex(mallory.get(path + more).text, "Bert|secret")

    def test_every_answer_has_the_headers(self):
        paths = ["/", "/teacher", "/files/teacher.js", "/files/none", "/api/me", "/none", "/window/", "/window/none"]
        answers = [self.ada.get(path) for path in paths] + [self.ada.post("/api/compile"), self.ada.http.post("/api/join", content=b"x")]
        for answer in answers:
            for name, value in (("cross-origin-opener-policy", "same-origin"), ("cross-origin-embedder-policy", "require-corp"),
                                ("cross-origin-resource-policy", "same-origin"), ("x-content-type-options", "nosniff"),
                                ("referrer-policy", "no-referrer")):
                self.assertEqual(answer.headers.get(name), value, (answer.url, name))
            policy = answer.headers["content-security-policy"]
            self.assertRegex(policy, r"default-src 'none';.*script-src 'self'.*frame-ancestors 'none'")
            self.assertNotRegex(policy, r"script-src[^;]*unsafe-inline|unsafe-eval'[^;]*'unsafe-eval|https?:|\*")
        self.assertEqual(self.ada.get("/api/me").headers["cache-control"], "no-store")

    def test_other_names_and_other_sites_are_refused(self):
        self.assertEqual(self.ada.get("/api/me", headers={"Host": "evil.example"}).status_code, 421)
        self.assertEqual(self.ada.get("/api/me", headers={"Host": ""}).status_code, 421)
        self.assertEqual(self.ada.post("/api/vote", headers={"Origin": "http://evil.example"}).status_code, 403)
        self.assertEqual(self.ada.post("/api/vote", headers={"Origin": "null"}).status_code, 403)
        self.assertEqual(self.ada.post("/api/leave", headers={"Origin": self.server.address}).status_code, 200)
        self.assertEqual(self.ada.http.post("/api/leave", data={"a": "b"}).status_code, 415)
        type(self).ada = self.server.student("Ada again" + os.urandom(2).hex())

    def test_large_bodies_are_refused(self):
        self.assertEqual(self.ada.post("/api/compile", {**KERNEL, "source": "x" * (100 << 20)}).status_code, 413)
        self.assertEqual(self.ada.post("/api/compile", {**KERNEL, "source": "x" * (257 << 10)}).status_code, 400)

        def pieces():
            for _ in range(40):
                yield b"x" * 65536

        with contextlib.suppress(Exception):
            answer = self.ada.http.post("/api/compile", content=pieces(), headers={"Content-Type": "application/json"})
            self.assertEqual(answer.status_code, 413)
        self.assertEqual(self.ada.get("/api/me").status_code, 200)

    def test_slow_bodies_and_silent_connections_are_ended(self):
        from warplens.serve import __main__ as command, guard  # noqa: PLC0415
        head = (f"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nContent-Type: application/json\r\n"
                "Content-Length: 100\r\nConnection: close\r\n\r\n{").encode()
        with mock.patch.object(guard, "BODY_SECONDS", 0.3):
            self.assertIn(b" 408 ", self.server.raw(head))
        with mock.patch.object(command, "_FIRST_REQUEST_SECONDS", 0.3):
            begin = time.monotonic()
            self.assertEqual(self.server.raw(b"GET / HTTP/1.1\r\nHost:"), b"")
            self.assertLess(time.monotonic() - begin, 3)

    def test_streams_are_limited(self):
        many = self.server.student("Many pages")
        with contextlib.ExitStack() as stack:
            streams = [stack.enter_context(many.http.stream("GET", "/api/room")).iter_lines() for _ in range(8)]
            for stream in streams:
                next(stream)
            with many.http.stream("GET", "/api/room") as one_more:
                self.assertEqual(one_more.status_code, 429)
            self.assertEqual(self.ada.states("/api/room", 1)[0]["locked"], False)

    def test_paths_lead_nowhere(self):
        for name in ("../bounds_check", "/etc", "bounds_check/../bounds_check", "", ".", "no_such"):
            for path in ("/api/judge", "/api/hand_in"):
                self.assertEqual(self.ada.post(path, {"challenge": name, "source": "x"}).status_code, 400, name)
        for name in ("../a.cu", "-o.cu", ".cu", "a\n.cu", "a.py", "a b.cu"):
            self.assertEqual(self.ada.post("/api/compile", {**KERNEL, "name": name, "source": ""}).status_code, 400, name)
        for path in ("/files/..%2fapp.py", "/files/../app.py", "/window/../secret.txt", "/window/..%2fsecret.txt", "/window/link",
                     "/window/%2e%2e/secret.txt", "/window//etc/passwd", "/files/%2e%2e/store.py"):
            said = self.server.raw(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            self.assertRegex(said, rb"^HTTP/1.1 (404|307)", path)
            self.assertNotIn(b"secret", said)
            self.assertNotIn(b"root:", said)

    def test_input_of_every_kind_is_refused_without_a_crash(self):
        bad = [None, 1, [], "x", {}, {"a": 1}, {"source": 1}, {**KERNEL, "source": "\0"}, {**KERNEL, "source": None},
               {**KERNEL, "compute_capability": "8.6 --out=x", "source": ""}, {"student": 1 << 80}, {"student": True}, {"student": "1"},
               {"place": [], "progress": 1}, {"place": {"lesson": 5}, "progress": {}}, {"to": 1}, {"locked": 1}, {"message": "x" * 501},
               {"name": "a\nb", "code": "x"}, {"name": " ", "code": "x"}, {"name": "x" * 61, "code": "x"}, {"question": "q", "answer": ""}]
        teacher = self.server.teacher()
        for method, path in self.routes():
            if method == "POST" and path not in ("/api/leave", "/api/teacher/enter", "/api/join", "/api/resume"):
                for who in (self.ada, teacher):
                    for body in bad:
                        answer = who.http.post(path, json=body)
                        self.assertLess(answer.status_code, 500, (path, body, answer.text))
                        if answer.status_code >= 400:
                            self.assertIn("error", answer.json())
                    for text in (b"", b"{", b"[" * 100_000, b'{"source": "\\ud800"}', b"\xff", b'{"a": 1e999}'):
                        answer = who.http.post(path, content=text, headers={"Content-Type": "application/json"})
                        self.assertLess(answer.status_code, 500, (path, text[:20]))
        for body in bad:
            for path in ("/api/join", "/api/resume", "/api/teacher/enter"):
                self.assertIn(self.server.client().http.post(path, json=body).status_code, (400, 403, 415, 429), (path, body))
        teacher.post("/api/teacher/room", {"to": None, "message": ""})
        type(self).ada = self.server.student("Ada again" + os.urandom(2).hex())

    def test_scripts_stay_text(self):
        script = self.server.student(SCRIPT)
        script.post("/api/hand_in", {"challenge": "bounds_check", "source": SCRIPT})
        script.post("/api/vote", {"question": SCRIPT, "answer": SCRIPT})
        script.post("/api/progress", {"place": {"lesson": SCRIPT, "step": SCRIPT}, "progress": {}})
        teacher = self.server.teacher()
        teacher.post("/api/teacher/room", {"message": SCRIPT})
        for client, path in ((script, "/api/me"), (script, "/api/hand_ins"), (teacher, "/api/teacher/class?names=1"), (script, "/"),
                             (teacher, "/api/teacher/class.csv?names=1")):
            answer = client.get(path)
            if SCRIPT in answer.text:
                self.assertIn(answer.headers["content-type"].split(";")[0], ("application/json", "text/csv"), path)
        teacher.post("/api/teacher/room", {"message": ""})
        pages = support.ROOT / "app/python/warplens/serve/pages"
        for path in pages.iterdir():
            text = path.read_text(encoding="utf-8")
            self.assertNotRegex(text, r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", path)
            self.assertNotRegex(text, r"(?i)<script(?![^>]*\bsrc=)|\son\w+\s*=\s*[\"']|javascript:|https?://", path)

    def test_cells_are_no_formulas(self):
        for name in ("=1+1", "+cmd", "-2", "@SUM(A1)"):
            self.server.student(name)
        text = self.server.teacher().get("/api/teacher/class.csv?names=1").text
        for name in ("=1+1", "+cmd", "-2", "@SUM(A1)"):
            self.assertIn(f"\n'{name},", text)

    def test_a_mistake_of_ours_tells_nothing(self):
        with mock.patch.object(self.server.store, "students", side_effect=ZeroDivisionError("a secret")), \
                contextlib.redirect_stderr(io.StringIO()):
            answer = self.server.teacher().get("/api/teacher/class")
        self.assertEqual(answer.status_code, 500)
        self.assertNotIn("a secret", answer.text)
        self.assertEqual(answer.headers["x-content-type-options"], "nosniff")


class Sandbox(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = support.InProcess()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def compile(self, who, source):
        return who.post("/api/compile", {**KERNEL, "source": source}).json()

    def test_nothing_of_the_machine_is_read(self):
        eve = self.server.student("Eve")
        here = pathlib.Path(__file__)
        for path in ("/etc/passwd", "/etc/hostname", self.server.store.file, here, "/proc/1/environ", "/proc/self/cmdline"):
            said = self.compile(eve, f'#include "{path}"\n')
            text = " ".join(one["message"] for one in said["diagnostics"])
            if not str(path).startswith("/proc"):  # that of the sandbox is its own
                self.assertFalse(said["ok"], path)
                self.assertIn("not found", text, path)
            self.assertNotRegex(text, "root:|SQLite|--store|SECRET")

    def test_programs_know_nothing_of_the_servers_environment(self):
        from warplens.serve.work import Programs  # noqa: PLC0415
        with mock.patch.dict(os.environ, {"SCHOOL_SECRET": "x"}):
            self.assertNotIn("SCHOOL_SECRET", Programs("clang", 1)._environment)

    def test_a_hostile_source_costs_its_own_request_alone(self):
        eve, ada = self.server.student("Eve 2"), self.server.student("Ada 2")
        with mock.patch("warplens.serve.work._COMPILE_SECONDS", 6), concurrent.futures.ThreadPoolExecutor() as pool:
            hostile = [pool.submit(self.compile, eve, source) for source in (BOMB, ENDLESS, BOMB + "\n")]
            time.sleep(0.3)
            times = []
            for i in range(4):
                begin = time.monotonic()
                self.assertTrue(self.compile(ada, support.answer("right.cu") + "\n" * i)["ok"])
                times.append(time.monotonic() - begin)
            self.assertLess(max(times), 5)
            for one in hostile:
                self.assertFalse(one.result()["ok"])
                self.assertRegex(str(one.result()["diagnostics"]), "too long|memory|survive|depth|error")

    def test_all_is_refused_without_a_sandbox(self):
        with tempfile.TemporaryDirectory() as folder:
            open_program = pathlib.Path(folder) / "warplens"  # compiles without the sandbox
            real = os.environ["WARPLENS_PROGRAM"]
            open_program.write_text(f'#!/bin/bash\nwords=()\nfor word in "$@"; do [[ $word == --sandbox ]] || words+=("$word"); done\n'
                                    f'exec {real} "${{words[@]}}"\n')
            no_bubblewrap = pathlib.Path(folder) / "bin" / "bwrap"
            no_bubblewrap.parent.mkdir()
            no_bubblewrap.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
            for program in (open_program, no_bubblewrap):
                program.chmod(0o755)
            for environment, reason in (({"WARPLENS_PROGRAM": str(open_program)}, "sees /etc/passwd"),
                                        ({"PATH": f"{no_bubblewrap.parent}:{os.environ['PATH']}"}, "bubblewrap does not work")):
                with self.assertRaisesRegex(AssertionError, f"nothing is served: .*{reason}"):
                    support.AsProcess(pathlib.Path(folder) / "store", environment=environment)


class Settings(unittest.TestCase):
    def settings(self, *words):
        from warplens.serve import settings  # noqa: PLC0415
        return settings.settings_of(settings.parse_arguments(["--class", "GPU 101", *words]))

    def refusal(self, *words):
        from warplens.serve.settings import Refused  # noqa: PLC0415
        with self.assertRaises(Refused) as caught:
            self.settings(*words)
        return str(caught.exception)

    def test_this_machine_alone_by_default(self):
        self.assertEqual(self.settings().host, "127.0.0.1")
        self.assertEqual(self.settings().names, {"127.0.0.1", "localhost"})

    def test_a_private_network_and_no_other(self):
        self.assertEqual(self.settings("--lan", "192.168.7.1").host, "192.168.7.1")
        for address in ("8.8.8.8", "0.0.0.0", "127.0.0.1", "class.example.org", "169.254.0.1"):
            self.assertIn("--lan", self.refusal("--lan", address))
        self.assertIn("exclude", self.refusal("--lan", "10.0.0.1", "--public", "https://a.example"))

    def test_public_needs_tls(self):
        self.assertIn("refused without TLS", self.refusal("--public", "https://class.example.org"))
        self.assertIn("https://", self.refusal("--public", "http://class.example.org", "--proxy", "127.0.0.1"))
        self.assertIn("on this machine", self.refusal("--public", "https://class.example.org", "--proxy", "10.0.0.1"))
        self.assertIn("--certificate", self.refusal("--public", "https://class.example.org", "--certificate", "a.pem"))
        self.assertIn("--proxy", self.refusal("--proxy", "127.0.0.1"))
        settings = self.settings("--public", "https://class.example.org", "--proxy", "127.0.0.1")
        self.assertEqual((settings.host, settings.names), ("127.0.0.1", {"class.example.org"}))

    def test_what_came_without_tls_through_the_proxy_is_refused(self):
        from starlette.applications import Starlette  # noqa: PLC0415
        import httpx  # noqa: PLC0415
        from warplens.serve.guard import Guard  # noqa: PLC0415
        app = Guard(Starlette(), self.settings("--public", "https://class.example.org", "--proxy", "127.0.0.1"))

        async def get(address):
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), verify=False) as client:
                return await client.get(address)

        self.assertEqual(asyncio.run(get("http://class.example.org/")).status_code, 403)
        answer = asyncio.run(get("https://class.example.org/"))
        self.assertEqual(answer.status_code, 404)
        self.assertIn("max-age", answer.headers["strict-transport-security"])

    def test_the_store_is_the_teachers_alone(self):
        from warplens.serve.store import Store  # noqa: PLC0415
        with tempfile.TemporaryDirectory() as folder:
            store = Store(pathlib.Path(folder) / "new" / "class.sqlite")
            self.assertEqual(stat.S_IMODE(store.file.stat().st_mode), 0o600)
            self.assertEqual(stat.S_IMODE(store.file.parent.stat().st_mode), 0o700)
            student = store.add_student("Ada", "hash")
            self.assertEqual(store.forget_unseen(180), 0)
            with mock.patch("warplens.serve.store._now", lambda: int(time.time()) + 181 * 86400):
                self.assertEqual(store.forget_unseen(180), 1)
            self.assertIsNone(store.student(student["id"]))
            store.close()


class Turns(unittest.TestCase):
    def test_students_take_turns(self):
        from warplens.serve.work import Busy, Turns as Line  # noqa: PLC0415
        order = []

        async def all_of_them():
            line = Line(1, most_waiting=4)

            async def job(name):
                order.append(name)
                await asyncio.sleep(0)
                return {}

            eager = [asyncio.create_task(line.run("eager", lambda i=i: job(f"eager {i}"))) for i in range(5)]
            await asyncio.sleep(0)
            late = asyncio.create_task(line.run("late", lambda: job("late")))
            done = await asyncio.gather(*eager, late, return_exceptions=True)
            self.assertEqual(sum(isinstance(one, Busy) for one in done), 0)
            flood = await asyncio.gather(*(line.run("flood", lambda: job("flood")) for _ in range(9)), return_exceptions=True)
            self.assertEqual(sum(isinstance(one, Busy) for one in flood), 4)
            self.assertEqual(await line.run("after", lambda: job("after")), {})

        asyncio.run(all_of_them())
        self.assertLessEqual(order.index("late"), 2)

    def test_a_turn_that_is_not_taken_goes_to_the_next(self):
        from warplens.serve.work import Busy, Turns as Line  # noqa: PLC0415

        async def all_of_them():
            line = Line(1, seconds=0.1)
            gate = asyncio.Event()

            async def waits():
                await gate.wait()
                return {}

            async def at_once():
                return {}

            first = asyncio.create_task(line.run("a", waits))
            await asyncio.sleep(0)
            with self.assertRaises(Busy):
                await line.run("b", at_once)
            cancelled = asyncio.create_task(line.run("c", at_once))
            await asyncio.sleep(0)
            cancelled.cancel()
            gate.set()
            await first
            self.assertEqual(await line.run("d", at_once), {})
            self.assertEqual(line._free, 1)

        asyncio.run(all_of_them())

    def test_the_cache_is_bounded(self):
        from warplens.serve.work import Cache  # noqa: PLC0415
        cache = Cache(1000)
        for i in range(100):
            cache.keep(str(i), {"ptx": "x" * 90})
        self.assertIsNone(cache.find("0"))
        self.assertEqual(cache.find("99"), {"ptx": "x" * 90})
        self.assertLessEqual(sum(map(len, cache._known.values())), 1000)


if __name__ == "__main__":
    support.main()
