"""Measures how long the page's program takes to prepare a run with a photograph: to read it, decode it and fill the buffers.

    photographs.py BUILD/warplens.js FOLDER [--json FILE]          FOLDER has the photographs

The program traces one instruction of a kernel with each photograph, in Node.js, and one of a kernel without a picture. The
difference of the shortest times is the photograph's. It is measured on one core, and on a busy machine it is longer.
"""
import argparse
import json
import pathlib
import tempfile

from node import run_commands

ROUNDS = 5


def shortest_times(program, commands):
    with tempfile.TemporaryDirectory() as scratch:
        done = run_commands(program, commands * ROUNDS, scratch)
    failed = [one["complaints"] for one in done if one["status"] != 0]
    if failed:
        raise SystemExit(f"photographs: {failed[0]}")
    return [min(one["ms"] for one in done[i::len(commands)]) for i in range(len(commands))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    choices = parser.parse_args()
    pictures = sorted(file for file in choices.folder.glob("*.*") if file.suffix in (".png", ".jpg"))
    if not pictures:
        print(f"photographs: there are none in {choices.folder}: tools/setup brings them")
    trace = ["trace", "--count", "1"]
    without, *times = shortest_times(choices.program, [trace + ["vector_add"], *(trace + ["grayscale", "--image", str(one)] for one in pictures)])
    took = {picture.name: time - without for picture, time in zip(pictures, times)}
    for name, ms in took.items():
        print(f"{name}: {ms:.0f} ms")
    if choices.json:
        choices.json.write_text(json.dumps(took))


main()
