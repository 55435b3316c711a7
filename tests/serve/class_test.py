"""A class from joining to the table, as the pages ask for it: class_test.py WARPLENS."""
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support  # noqa: E402

KERNEL = {"name": "kernel.cu", "compute_capability": "8.6"}


class Students(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = support.InProcess()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def test_a_kernel_typed_wrongly_and_then_right(self):
        ada = self.server.student("Ada L.")
        said = ada.post("/api/compile", {**KERNEL, "source": support.WRONG}).json()
        self.assertFalse(said["ok"])
        self.assertEqual([one["line"] for one in said["diagnostics"]][:1], [2])
        said = ada.post("/api/compile", {**KERNEL, "source": support.answer("right.cu")}).json()
        self.assertTrue(said["ok"])
        self.assertIn(".visible .entry add", said["ptx"])
        self.assertIn("clang", said["compiler"])
        self.assertNotIn(".debug_info", said["ptx"])
        debug = ada.post("/api/compile", {**KERNEL, "source": support.answer("right.cu"), "debug": True}).json()
        self.assertIn(".debug_info", debug["ptx"])

    def test_the_same_source_is_compiled_once(self):
        grace = self.server.student("Grace")
        source = support.answer("right.cu") + "// of Grace\n"
        first = grace.post("/api/compile", {**KERNEL, "source": source}).json()
        self.assertEqual(grace.post("/api/compile", {**KERNEL, "source": source}).json(), first)  # with its compile_ms
        other = grace.post("/api/compile", {**KERNEL, "source": source + "\n"}).json()
        self.assertNotEqual(other["compile_ms"], first["compile_ms"])

    def test_an_answer_is_judged_and_stored(self):
        alan = self.server.student("Alan")
        wrong = alan.post("/api/hand_in", {"challenge": "bounds_check", "source": support.answer("wrong_no_check.cu")}).json()
        self.assertIs(wrong["verdict"]["right"], False)
        right = alan.post("/api/hand_in", {"challenge": "bounds_check", "source": support.answer("right.cu")}).json()
        self.assertIs(right["verdict"]["right"], True)
        self.assertEqual(right["verdict"]["stars"], 3)
        tried = alan.post("/api/judge", {"challenge": "bounds_check", "source": support.answer("right.cu")}).json()
        self.assertEqual(tried["stars"], 3)
        self.assertEqual([one["id"] for one in alan.get("/api/hand_ins").json()], [wrong["id"], right["id"]])

    def test_python_is_off_until_the_teacher_allows_it(self):
        said = self.server.student("Annie").post("/api/judge", {"challenge": "bounds_check", "language": "numba", "source": "x"})
        self.assertEqual(said.status_code, 403)
        self.assertIn("--numba", said.json()["error"])

    def test_another_machine_goes_on(self):
        emmy = self.server.student("Emmy")
        done = {"lessons": {"who_am_i": ["one"]}}
        self.assertEqual(emmy.post("/api/progress", {"place": {"lesson": "who_am_i", "step": "two"}, "progress": done}).status_code, 200)
        other = self.server.client()
        came = other.post("/api/resume", {"name": " emmy ", "code": emmy.resume_code.lower().replace("-", " ")})
        self.assertEqual(came.json()["name"], "Emmy")
        self.assertEqual(other.get("/api/me").json()["progress"], done)
        self.assertEqual(other.get("/api/me").json()["place"], {"lesson": "who_am_i", "step": "two"})
        self.assertEqual(other.post("/api/leave").status_code, 200)
        self.assertEqual(other.get("/api/me").status_code, 401)

    def test_the_teacher_leads(self):
        teacher, student = self.server.teacher(), self.server.student("Sofia")
        teacher.post("/api/teacher/room", {"to": {"lesson": "who_am_i", "step": "five"}, "message": "Now step five"})
        self.assertEqual(student.states("/api/room", 1)[0]["to"], {"lesson": "who_am_i", "step": "five"})
        self.assertEqual(teacher.post("/api/teacher/room", {"reveal": True}).json()["reveal"], True)
        self.assertTrue(student.states("/api/room", 1)[0]["reveal"])
        # Those of one step alone.
        self.assertFalse(teacher.post("/api/teacher/room", {"to": {"lesson": "who_am_i", "step": "six"}}).json()["reveal"])
        self.assertEqual(teacher.post("/api/teacher/room", {"to": {"lesson": "who_am_i"}, "reveal": True}).status_code, 400)
        teacher.post("/api/teacher/room", {"locked": True})
        room = student.states("/api/room", 1)[0]
        self.assertEqual((room["locked"], room["message"]), (True, "Now step five"))
        for path, body in (("/api/vote", {"question": "q", "answer": "a"}),
                           ("/api/hand_in", {"challenge": "bounds_check", "source": "x"})):
            self.assertEqual(student.post(path, body).status_code, 423)
        teacher.post("/api/teacher/room", {"locked": False, "to": None, "message": ""})
        self.assertEqual(student.post("/api/vote", {"question": "q", "answer": "a"}).status_code, 200)

    def test_a_change_comes_while_a_page_waits(self):
        student, teacher = self.server.student("Rosalind"), self.server.teacher()
        with student.http.stream("GET", "/api/room", timeout=20) as stream:
            lines = (json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: "))
            next(lines)
            teacher.post("/api/teacher/room", {"message": "Look up"})
            begin = time.monotonic()
            self.assertEqual(next(lines)["message"], "Look up")
            self.assertLess(time.monotonic() - begin, 10)  # a sign of life comes after 20 s
        teacher.post("/api/teacher/room", {"message": ""})

    def test_votes_are_counted(self):
        teacher = self.server.teacher()
        voters = [self.server.student(f"Voter {i}") for i in range(5)]
        for voter, answer in zip(voters, "ABBBC"):
            voter.post("/api/vote", {"question": "who_am_i/2/1", "answer": answer, "correct": answer == "C"})
        voters[0].post("/api/vote", {"question": "who_am_i/2/1", "answer": "C", "correct": True})  # another answer in its place
        seen = teacher.states("/api/teacher/live", 1)[0]
        self.assertEqual(seen["question"], "who_am_i/2/1")
        self.assertEqual([(one["answer"], one["count"]) for one in seen["tallies"][seen["question"]]], [("B", 3), ("C", 2)])
        self.assertEqual(seen["commonest_wrong"], "B")

    def follower(self, token):
        """The lines of the projector's window."""
        link = f"{self.server.address}/teacher#{token}"
        process = subprocess.Popen([sys.executable, "-I", support.ROOT / "assets" / "class" / "follow.py"], stdout=subprocess.PIPE,
                                   env=os.environ | {"WARPLENS_CLASS": link})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        return process, (json.loads(line) for line in process.stdout)

    def test_the_projectors_window_follows(self):
        _, told = self.follower(self.server.identity.teacher_token)
        self.assertEqual(next(told)["name"], "GPU 101")
        self.server.student("Katherine").post("/api/vote", {"question": "who_am_i/tail/1", "answer": "9", "correct": False})
        self.server.teacher().post("/api/teacher/room", {"to": {"lesson": "who_am_i", "step": "tail"}})
        for now in told:
            if now["room"]["to"] and "who_am_i/tail/1" in now["tallies"]:
                break
        self.assertEqual(now["tallies"]["who_am_i/tail/1"], [{"answer": "9", "correct": False, "count": 1}])
        self.assertEqual(now["room"]["to"], {"lesson": "who_am_i", "step": "tail"})
        self.assertNotIn("Katherine", json.dumps(now))

    def test_another_link_is_followed_by_nobody(self):
        process, told = self.follower("AAAA")
        self.assertIn("refuses the link (403)", next(told)["problem"])
        self.assertEqual(process.wait(10), 1)

    def test_names_are_hidden_until_asked_for(self):
        self.server.student("Hidden Figure").post("/api/hand_in", {"challenge": "bounds_check", "source": "x"})
        teacher = self.server.teacher()
        for path in ("/api/teacher/class", "/api/teacher/class.csv"):
            self.assertNotIn("Hidden Figure", teacher.get(path).text)
            self.assertIn("Hidden Figure", teacher.get(path + "?names=1").text)

    def test_the_archive_is_one_that_the_program_reads(self):
        self.server.student("../../Eve").post("/api/hand_in", {"challenge": "bounds_check", "source": support.answer("right.cu")})
        data = self.server.teacher().get("/api/teacher/class.zip?names=1").content
        with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                self.assertNotIn("..", name)
                self.assertFalse(name.startswith("/"))
            archive.extractall(folder)
            done = subprocess.run([os.environ["WARPLENS_PROGRAM"], "class", folder, "--names"], capture_output=True, text=True,
                                  check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"eve.*3")

    def test_a_student_is_forgotten(self):
        bob, teacher = self.server.student("Bob"), self.server.teacher()
        bob.post("/api/vote", {"question": "forgotten", "answer": "a"})
        number = next(one["id"] for one in teacher.get("/api/teacher/class?names=1").json()["students"] if one["name"] == "Bob")
        self.assertEqual(teacher.post("/api/teacher/forget", {"student": number}).status_code, 200)
        self.assertEqual(bob.get("/api/me").status_code, 401)
        self.assertNotIn("Bob", teacher.get("/api/teacher/class?names=1").text)
        self.assertEqual(self.server.store.tallies(["forgotten"]), {"forgotten": []})


@unittest.skipUnless(support.HAS_NUMBA, "there is no Python with Numba")
class InPython(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = support.InProcess(numba=True)

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def test_an_answer_is_judged_stored_and_given_on(self):
        dorothy = self.server.student("Dorothy")
        answer = {"challenge": "bounds_check", "language": "numba"}
        wrong = dorothy.post("/api/judge", {**answer, "source": "from numba import cuda\n\nnothing = 1 / 0\n"}).json()
        self.assertEqual((wrong["right"], wrong["reason"]), (False, "compile"))
        self.assertIn("line 3", wrong["message"])
        right = dorothy.post("/api/hand_in", {**answer, "source": support.answer("right.py")}).json()
        self.assertEqual((right["verdict"]["right"], right["verdict"]["stars"]), (True, 3))
        self.assertEqual([one["language"] for one in dorothy.get("/api/hand_ins").json()], ["numba"])
        for language in ("", "python", 7, None):
            self.assertEqual(dorothy.post("/api/judge", {**answer, "language": language, "source": "x"}).status_code, 400)
        with zipfile.ZipFile(io.BytesIO(self.server.teacher().get("/api/teacher/class.zip?names=1").content)) as files:
            name = next(name for name in files.namelist() if name.endswith("_bounds_check.json"))
            self.assertEqual(json.loads(files.read(name))["language"], "numba")

    def test_without_numba_nothing_is_served(self):
        for python in ("/usr/bin/false", "/nowhere"):
            with mock.patch.dict(os.environ, {"WARPLENS_PYTHON": python}), self.assertRaises(Exception) as refused:
                support.InProcess(numba=True)
            self.assertIn("Numba", str(refused.exception))


if __name__ == "__main__":
    support.main()
