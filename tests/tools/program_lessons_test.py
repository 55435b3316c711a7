"""Lessons and challenges whose answers are programs: each lesson is played to its end, once rightly and once wrongly, each file of a
challenge gets the verdict that challenge.md states, the last hint solves it, and an answer that is no program gets its reason."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
WARPLENS = sys.argv[1]
# An answer to missing_wait, and the reason and a word with which it is rejected.
REJECTED = {
    "nothing": ("", None, "empty"),
    "no main": ("__global__ void f() {}", "signature", "main()"),
    "a mistake": ("int main() { return 1 }", "compile", "line 1"),
    "a crash": ("int main() { *(volatile int*)8 = 1; }", "fault", "signal"),
    "a status": ("int main() { return 3; }", "fault", "status 3"),
    "outside": ("__global__ void f(int* p) { p[1 << 20] = 1; }\nint main() {\n  int* p;\n  cudaMalloc(&p, 4);\n  f<<<1, 1>>>(p);\n"
                "  return cudaDeviceSynchronize() != 0;\n}", "fault", "f"),
    "too much": ('#include <cstdio>\nint main() { for (;;) puts("yes"); }', "mismatch", "KiB"),
}


def run(*words):
    done = subprocess.run([WARPLENS, *words], capture_output=True, text=True, check=False)
    if done.returncode == 3:
        print(done.stderr)
        sys.exit(SKIPPED)
    return done


def mended(starter, diff):
    """The starter with the changes of a hint, as tests/core/lesson/challenges_test.cpp has it."""
    lines, at = starter.splitlines(), 0
    for change in diff.splitlines():
        if change.startswith("+"):
            lines.insert(at, change[1:])
            at += 1
        elif change:
            at = lines.index(change[1:], at)
            if change.startswith("-"):
                del lines[at]
            else:
                at += 1
    return "\n".join(lines) + "\n"


def check(what, done, wanted):
    if done.returncode != 0 or wanted not in done.stdout:
        sys.exit(f"{what}\n{done.stdout}{done.stderr}")


def judged(challenge, source, folder):
    path = pathlib.Path(folder) / "answer.cu"
    path.write_text(source, encoding="utf-8")
    done = run("judge", challenge, str(path), "--json")
    return json.loads(done.stdout) if done.stdout else {"reason": None, "message": done.stderr}


def main():
    if not (pathlib.Path(WARPLENS).resolve().parent / "driver" / "libcuda.so.1").exists():
        print("skipped: this build has no driver for programs")
        return SKIPPED
    for page in sorted((ROOT / "assets/lessons").glob("*/lesson.md")):
        if re.search(r"^program: ", page.read_text(encoding="utf-8"), re.MULTILINE):
            check(page.parent.name, run("lessons", "check", str(page.parent)), "each played once")
    with tempfile.TemporaryDirectory() as folder:
        for page in sorted((ROOT / "assets/challenges").glob("*/challenge.md")):
            challenge, text = page.parent, page.read_text(encoding="utf-8")
            if "kind: program" not in text:
                continue
            check(challenge.name, run("challenges", "check", str(challenge)), "are judged as they should be")
            diff = re.findall(r"```diff\n(.*?)\n```", text, re.DOTALL)[-1]
            verdict = judged(challenge.name, mended((challenge / "starter.cu").read_text(encoding="utf-8"), diff), folder)
            assert verdict.get("right"), (challenge.name, "the last hint", verdict["message"])
        for name, (source, reason, word) in REJECTED.items():
            verdict = judged("missing_wait", source, folder)
            assert verdict["reason"] == reason and word in verdict["message"], (name, verdict["reason"], verdict["message"])


if __name__ == "__main__":
    sys.exit(main())
