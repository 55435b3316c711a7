#!/usr/bin/env python3
"""What the lesson "Waiting well" and its challenges say is also so on the H200 that ran their kernels.

The truth is tests/data/truth/waiting_h200.json, which record_waiting.py wrote. A kernel that changed must be recorded again.
"""
import hashlib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def claims(at):
    """The sentence of the lesson, and whether it holds."""
    slots = {name: row["issue_slots"] for name, row in at.items()}
    time = {name: row["us"] for name, row in at.items()}
    barrier = {name: row["barrier"] for name, row in at.items()}
    stalls = ("long_scoreboard", "wait", "barrier")
    yield "one chain uses about a quarter of the issue slots", 22 <= slots["chains_1"] <= 28.5
    yield "a warp with one chain waits for its own result", max(stalls, key=at["chains_1"].get) == "wait"
    yield "two chains use about half of them", 42 <= slots["chains_2"] <= 55
    yield "two chains take about half as long", 0.5 <= time["chains_2"] / time["chains_1"] <= 0.7
    yield "four chains use at least two thirds", slots["chains_4"] >= 66
    yield "two warps are not enough for 80 %, eight are", slots["more_warps_2"] < 80 <= slots["more_warps_8"]
    yield "warps that follow lists use fewer than 10 %", slots["follow"] < 10
    yield "they wait for memory", max(stalls, key=at["follow"].get) == "long_scoreboard"
    yield "four loads at once are about 2.2 times as fast", 2.2 * 0.65 <= time["batch_1"] / time["batch_4"] <= 2.2 * 1.35
    yield "the larger the block, the longer it waits at barriers", barrier["turn_64"] < barrier["turn_256"] < barrier["turn_1024"]
    yield "blocks of 32 use the fewest slots", min((name for name in slots if name.startswith("turn_")), key=slots.get) == "turn_32"
    yield "a quarter of the warps with four chains is not slower", time["not_full"] <= 1.02 * time["full"]
    yield "two lists at once earn ★★, four ★★★", (0.5 < time["lists_right_two"] / time["lists_starter"] <= 0.65 and
                                                 time["lists_right"] / time["lists_starter"] <= 0.55 and
                                                 slots["lists_right_two"] >= 1.3 * slots["lists_starter"])
    yield "the starter of \"Always something to do\" uses fewer slots than every answer", \
        all(slots["to_do_start"] < slots[f"to_do_{block}"] for block in (128, 512, 1024))
    yield "blocks of 64 are more than 1.1 times as slow as the best, of 128 to 1024 hardly", \
        time["turn_64"] > 1.1 * time["turn_256"] and all(time[f"turn_{block}"] <= 1.14 * time["turn_256"] for block in (128, 512, 1024))
    yield "but not than blocks of 32", slots["to_do_32"] < slots["to_do_start"]
    yield "blocks of 1024 wait longest at barriers of all answers", barrier["to_do_128"] < barrier["to_do_512"] < barrier["to_do_1024"]


def main():
    truth = json.loads((ROOT / "tests/data/truth/waiting_h200.json").read_text())
    wrong = [f"{file} changed: record it again" for file, was in truth["files"].items()
             if hashlib.sha256((ROOT / "assets" / file).read_bytes()).hexdigest()[:16] != was]
    wrong += [f"not so on {truth['device']}: {claim}" for claim, holds in claims(truth["launches"]) if not holds]
    print("\n".join(wrong) or f"{len(list(claims(truth['launches'])))} claims hold")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
