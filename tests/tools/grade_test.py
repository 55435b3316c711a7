#!/usr/bin/env python3
"""`warplens grade` over a small class with hostile answers: one row each with its reason, and the same table at any
number of workers and in parts."""
import importlib.util
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location("grade_class", os.path.join(HERE, "grade_class.py"))
CLASS = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(CLASS)


def fail(*words):
    print(*words)
    sys.exit(1)


def judge(warplens, challenge, **environment):
    answer = os.path.join(HERE, "..", "..", "assets", "challenges", challenge, "right.cu")
    return subprocess.run([warplens, "judge", challenge, answer], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})


# A right answer must not be called wrong for what this machine lacks.
def check_missing_tools(warplens):
    for challenge, tool in (("bounds_check", "WARPLENS_NVRTC"), ("full_occupancy", "WARPLENS_PTXAS")):
        ran = judge(warplens, challenge, **{tool: "/nonexistent", "WARPLENS_CLANG": "/nonexistent"})
        if ran.returncode != 3 or "not judged" not in ran.stdout or "warplens fetch" not in ran.stdout:
            fail(f"{challenge} without {tool}:", ran.returncode, ran.stdout, ran.stderr)
    ran = judge(warplens, "bounds_check", WARPLENS_PTXAS="/nonexistent")
    if ran.returncode != 0:
        fail("bounds_check asks for no register:", ran.stdout, ran.stderr)


def main():
    warplens = sys.argv[1]
    if os.environ.get("WARPLENS_LOOKS_FOR_CUDA") == "0":
        print("no compiler in this build")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        inside = os.path.join(folder, "class")
        os.mkdir(inside)
        expected = CLASS.make_class(inside, 40)
        tables = {}
        for name, options in {"one": ["--workers", "1"], "four": ["--workers", "4"],
                              "first": ["--shard", "1/2"], "second": ["--shard", "2/2"]}.items():
            table = os.path.join(folder, name + ".csv")
            ran = CLASS.grade(warplens, inside, table, "--time", "30", *options)
            if ran.returncode == 3:
                print("no compiler on this machine")
                sys.exit(77)
            if ran.returncode != 0:
                fail("grade ended with", ran.returncode, ran.stderr)
            if "hostile/program.exe" not in ran.stderr:
                fail("nothing is said of a file that is no answer:", ran.stderr)
            with open(table) as file:
                tables[name] = file.read().splitlines()
        wrong = CLASS.wrong_rows(os.path.join(folder, "one.csv"), expected)
        if wrong:
            fail("\n".join(wrong))
        if tables["one"] != tables["four"]:
            fail("the table depends on the number of workers:\n",
                 "\n".join(a + "\n" + b for a, b in zip(tables["one"], tables["four"]) if a != b))
        if sorted(tables["first"] + tables["second"][1:]) != sorted(tables["one"]):
            fail("the parts together are not the whole table")
        rows = {line.split(",")[0]: line for line in tables["one"]}
        if "student_000/copy.cu" not in rows["student_001/copy.cu"]:
            fail("a copy is not named:", rows["student_001/copy.cu"])
        if "'=HYPERLINK" not in rows["hostile/formula.json"]:
            fail("a formula is not made harmless:", rows["hostile/formula.json"])
        if any("root:" in line for line in tables["one"]):
            fail("a file of the system is in the table")
    check_missing_tools(warplens)


main()
