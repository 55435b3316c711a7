#!/usr/bin/env python3
"""The list of parts of a release (tools/sbom), from a small tree: it has the form of CycloneDX, names what is in the tree and what
pip is asked for, and is the same each time. A list that lacks something is refused."""
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = (("libfmt9", "9.1.0", "libfmt.so.9", "licences/libfmt9.txt", "debian"),
         ("imgui", "1.93.0", "", "licences/imgui.txt", "imgui-bundle"))
DEBIANS = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/

Files: *
Copyright: 2012 Somebody
License: Expat

License: Expat
 The words of it.
"""


def small_tree(folder):
    (folder / "lib").mkdir()
    (folder / "lib/libfmt.so.9").write_bytes(b"library")
    docs = folder / "share/doc/warplens"
    (docs / "licences").mkdir(parents=True)
    (docs / "licences/libfmt9.txt").write_text(DEBIANS, encoding="utf-8")
    (docs / "licences/imgui.txt").write_text("For people.\n", encoding="utf-8")
    (docs / "parts.tsv").write_text("".join("\t".join(part) + "\n" for part in PARTS), encoding="utf-8")


def check():
    loader = importlib.machinery.SourceFileLoader("sbom", str(ROOT / "tools/sbom"))
    sbom = importlib.util.module_from_spec(importlib.util.spec_from_loader("sbom", loader))
    loader.exec_module(sbom)
    with tempfile.TemporaryDirectory() as name:
        tree = pathlib.Path(name)
        small_tree(tree)
        text = sbom.list_of_parts(tree, "1.2.3", "A sentence", 1700000000)
        assert text == sbom.list_of_parts(tree, "1.2.3", "A sentence", 1700000000), "the same tree gives another list"
        # A list of parts that are not there, or without a licence's file, is no list.
        (tree / "lib/libfmt.so.9").unlink()
        try:
            sbom.list_of_parts(tree, "1.2.3", "A sentence", 1700000000)
            raise AssertionError("a library that is not there was listed")
        except StopIteration:
            pass
    listed = json.loads(text)
    assert sbom.mistake_in(text) is None, sbom.mistake_in(text)
    assert sbom.mistake_in(text.replace('"type": "library"', '"type": "nothing"')) is not None, "the schema is not looked at"
    assert listed["metadata"]["component"]["version"] == "1.2.3" and listed["metadata"]["timestamp"].startswith("2023-11-14")
    by_name = {part["name"]: part for part in listed["components"]}
    fmt, imgui, numpy = by_name["libfmt9"], by_name["imgui"], by_name["numpy"]
    assert fmt["purl"] == "pkg:deb/debian/libfmt9@9.1.0", fmt
    assert fmt["hashes"][0]["content"] == hashlib.sha256(b"library").hexdigest(), fmt
    assert fmt["licenses"] == [{"license": {"name": "Expat"}}], fmt
    assert imgui["purl"] == "pkg:pypi/imgui-bundle@1.93.0#imgui" and imgui["licenses"][0]["license"]["name"] == "see imgui.txt", imgui
    assert {"name": "warplens:contained", "value": "no"} in numpy["properties"] and numpy["scope"] == "required", numpy
    assert by_name["scikit-image"]["scope"] == "optional"
    print(f"{len(listed['components'])} parts")


def main():
    if "check" in sys.argv:
        check()
        return
    sys.path.insert(0, str(ROOT / "tests/programs"))
    import packages
    python = packages.environment(ROOT / "tools/requirements/package.txt")
    if python is None:
        sys.exit(77)
    os.execv(python, [python, "-B", __file__, "check"])


main()
