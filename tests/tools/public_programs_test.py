#!/usr/bin/env python3
"""public_programs.py notices a wrong result and a clone that is not there, and its list is complete. The programs themselves are not
in the repository."""
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "bench"))
sys.dont_write_bytecode = True
import public_programs as public  # noqa: E402


def test_difference():
    assert not public.difference("1 2.5\n", "1, 2.5", 0)
    assert not public.difference("node 7: 100", "node 7: 100.01", 1e-3)
    assert public.difference("100", "100.01", 1e-5)
    assert public.difference("1 2", "1", 1)
    assert public.difference("", "", 1) and public.difference("none", "none at all", 1)
    assert not public.difference("nan", "nan ", 0) and public.difference("nan", "1", 1)


def test_sizes():
    text = "# define NX 10\n#define NXY 10\n#define NX   20\n"
    assert public.with_sizes(text, {"NX": 5}) == "# define NX 5\n#define NXY 10\n#define NX 5\n"


def test_changes():
    change = {"from": "old", "to": "new"}
    assert public.replaced("old, old", change, "file") == "new, new"
    try:
        public.replaced("other", change, "file")
    except public.Failed as failed:
        assert "public_programs.json" in str(failed)
    else:
        raise AssertionError("a text without what is replaced passed")


def test_list():
    assert len(public.DATA["programs"]) == 24
    for name, data in public.DATA["programs"].items():
        assert all(change["why"] and change["file"] for change in data.get("changes", [])), name
        assert all(kind in public.INPUTS for kind, _ in data.get("inputs", {}).values()), name
        assert all("arguments" in data[version] or "sizes" in data for version in public.VERSIONS), name


def test_clones():
    with tempfile.TemporaryDirectory() as folder:
        name, data = next(iter(public.DATA["programs"].items()))
        program = public.Program(name, data, public.COLLECTIONS[data["collection"]], pathlib.Path(folder))
        try:
            public.check_clones(folder, [program])
        except public.Failed as failed:
            assert all(of["repository"] in str(failed) and of["commit"] in str(failed) for of in public.COLLECTIONS.values())
        else:
            raise AssertionError("a folder without clones passed")


def test_table():
    data = {"cuda": {"arguments": "1 2", "shown": "`-fast`"}, "openmp": {"arguments": "1"}}
    programs = {"one": public.Program("one", data, {"folder": ""}, pathlib.Path())}
    row = {"openmp": (10.0, 20.0), "now": (40.0, 60.0), "plain": (20.0, 20.0)}
    assert public.table(programs, {"one": row}).splitlines()[2:] == [
        "| one | `1 2`, `-fast` | `1` | 10.0 | 40 | 4 | 3 | 2 |", "| geometric mean | | | | | 4 | 3 | 2 |"]
    assert "| 10.0 | 40 | 8 | 4 | 3 | 2 |" in public.table(programs, {"one": {**row, "before": (80.0, 160.0)}})


if __name__ == "__main__":
    for test in (test_difference, test_sizes, test_changes, test_list, test_clones, test_table):
        test()
    print("public_programs.py is fine")
