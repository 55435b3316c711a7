"""The cheats of tests/data/cheats, handed in to a server: found_out_test.py WARPLENS. Each verdict is that of cheats.json, and
the server goes on."""
import concurrent.futures
import pathlib
import sys
import unittest
from unittest import mock

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parents[1] / "tools")]
import cheats_test as cheats  # noqa: E402
import support  # noqa: E402

SECONDS = 60  # where the row has no limit of its own, for an answer that never ends


class Cheats(unittest.TestCase):
    def test_each_is_found_out(self):
        # A server has one seed.
        endings = (".cu", ".py") if support.HAS_NUMBA else (".cu",)
        rows = [row for row in cheats.rows() if row["file"].endswith(endings) and "seed" not in row]
        self.assertGreater(len(rows), 30)
        server = support.InProcess(numba=support.HAS_NUMBA)
        self.addCleanup(server.close)

        def mistake(row):
            source = (cheats.FOLDER / row["file"]).read_text(encoding="utf-8")
            language = "cuda" if row["file"].endswith(".cu") else "numba"
            came = student[row["file"]].post("/api/hand_in", {"challenge": row["challenge"], "language": language, "source": source})
            return cheats.mistake_in(came.json()["verdict"], row) if came.status_code == 200 else f"{row['file']}: {came.text}"

        student = {row["file"]: server.student(row["file"]) for row in rows}
        for one in student.values():
            one.http.timeout = 200
        for seconds in sorted({row.get("time", SECONDS) for row in rows}):
            now = [row for row in rows if row.get("time", SECONDS) == seconds]
            with mock.patch("warplens.serve.work._JUDGE_SECONDS", seconds), concurrent.futures.ThreadPoolExecutor(4) as pool:
                wrong = [text for text in pool.map(mistake, now) if text]
            self.assertEqual(wrong, [], f"within {seconds} s")
        self.assertEqual(wrong, [])
        honest = server.student("Honest")
        verdict = honest.post("/api/hand_in", {"challenge": "bounds_check", "source": support.answer("right.cu")}).json()["verdict"]
        self.assertEqual((verdict["right"], verdict["stars"]), (True, 3))


if __name__ == "__main__":
    support.main()
