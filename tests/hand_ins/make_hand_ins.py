#!/usr/bin/env python3
"""Makes the hand-ins of a class that never was: make_hand_ins.py OUT [--challenge bounds_check] [--count 200] [--seed 1].

Most are answers of the challenge's folder, written as many students would write them: other names, other spaces, other
comments, some as what "Hand in" writes. The 30 of hostile.py are there to break a grader. OUT/expected.json says of each
file what the judge must say: a reason or several, and for right ones the stars. The same seed makes the same bytes.
"""
import argparse
import json
import random
import re
from pathlib import Path

from hostile import hostile_hand_ins

ROOT = Path(__file__).resolve().parents[2]
NAMES = """amber basil cedar dahlia elder fern garnet hazel iris jasper kale laurel maple nettle olive poppy quince rowan
sage tansy umber violet willow yarrow zinnia""".split()


def expected_of(challenge: Path) -> dict[str, dict]:
    """What ```files of challenge.md says of each answer in it."""
    text = (challenge / "challenge.md").read_text()
    rows = re.search(r"^```files\n(.*?)^```", text, re.M | re.S)[1].splitlines()
    answers = {}
    for row in rows:
        name, what = row.split(": ", 1)
        if what == "starter" or not name.endswith(".cu"):
            continue
        if what.startswith("right"):
            stars = {"right": 3, "right two": 2, "right one": 1}[what]
            answers[name] = {"reasons": ["none"], "stars": stars}
        else:
            answers[name] = {"reasons": [what.split(" at ")[0].split()[0]], "stars": 0}
    return answers


def handwriting(source: str, rng: random.Random) -> str:
    """The same program in another hand: names of variables, spaces, comments and empty lines."""
    for name in re.findall(r"\bint (\w+) =", source):
        if rng.random() < 0.7 and len(name) > 0:
            source = re.sub(rf"(?<![.\w]){name}\b", rng.choice(["index", "idx", "id", "place", "pos"]) + name, source)
    if rng.random() < 0.4:
        source = source.replace("  ", rng.choice(["\t", "    "]))
    if rng.random() < 0.3:
        source = source.replace(" {\n", "\n{\n")
    if rng.random() < 0.2:
        source = source.replace("\n", "\r\n")
    greeting = rng.choice(["", "// my answer\n", "/* exercise 1\n * Monday group */\n", "// Grüße aus Übung 3\n", "\n\n"])
    return greeting + source


def hand_in_json(challenge: str, name: str, source: str, rng: random.Random) -> str:
    return json.dumps({"warplens_hand_in": 1, "challenge": challenge, "language": "cuda", "name": name, "source": source,
                       "stars": rng.randrange(4), "seconds_spent": rng.randrange(30, 5000), "session": {}, "checksum": ""})


def honest_hand_ins(challenge: Path, count: int, rng: random.Random):
    answers = expected_of(challenge)
    files = sorted(answers)
    right = [name for name in files if answers[name]["stars"] > 0]
    for number in range(count):
        answer = rng.choice(right if rng.random() < 0.6 else files)
        source = handwriting((challenge / answer).read_text(), rng)
        student = f"{rng.choice(NAMES)}_{number:03}"
        if rng.random() < 0.1:
            yield f"{student}.json", hand_in_json(challenge.name, student, source, rng).encode(), answers[answer]
        else:
            yield f"{student}.cu", source.encode(), answers[answer]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--challenge", default="bounds_check")
    arguments.add_argument("--count", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=1)
    choices = arguments.parse_args()
    rng = random.Random(choices.seed)
    challenge = ROOT / "assets/challenges" / choices.challenge
    folder = choices.out / "hand_ins"
    folder.mkdir(parents=True)
    expected = {}
    hostile = list(hostile_hand_ins(challenge))
    honest = list(honest_hand_ins(challenge, max(0, choices.count - len(hostile)), rng))
    for name, content, what in honest + hostile:
        (folder / name).write_bytes(content)
        expected[name] = what
    (choices.out / "expected.json").write_text(json.dumps(expected, indent=1))
    print(f"{len(expected)} hand-ins, {len(hostile)} of them hostile, in {folder}")


if __name__ == "__main__":
    main()
