#!/usr/bin/env python3
"""Measures `warplens debug` through the protocol: the table of docs/debug.md.

  tests/app/debug/measure.py [PROGRAM]
"""
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/tools"))
from debug_client import started  # noqa: E402

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/warplens")


def look(client, thread):
    """What an editor asks for after each stop."""
    client.ask("threads")
    frame = client.ask("stackTrace", threadId=thread)["stackFrames"][0]["id"]
    for scope in client.ask("scopes", frameId=frame)["scopes"]:
        if not scope["expensive"]:
            client.ask("variables", variablesReference=scope["variablesReference"])


def steps(command, looks):
    process, client = started(PROGRAM)
    client.launch(program="mandelbrot", stopOnEntry=True)
    thread = client.move("configurationDone")["threadId"]
    if command == "stepBack":
        client.move("evaluate", expression=":end", context="repl")
    count, begin = 0, time.perf_counter()
    while count < 150:
        thread = client.move(command, threadId=thread)["threadId"]
        count += 1
        if looks:
            look(client, thread)
    seconds = time.perf_counter() - begin
    client.ask("disconnect")
    process.wait()
    return count / seconds


def far_block():
    process, client = started(PROGRAM)
    client.launch(program="vector_add", set={"n": 100_000 * 256})
    client.ask("setBreakpoints", source={"name": "vector_add.cu"},
               breakpoints=[{"line": 6, "condition": "blockIdx.x == 99999 && threadIdx.x == 3"}])
    begin = time.perf_counter()
    stopped = client.move("configurationDone")
    seconds = time.perf_counter() - begin
    assert stopped["reason"] == "breakpoint", stopped
    client.ask("disconnect")
    process.wait()
    return seconds


print("| what | |\n|---|---|")
print(f"| steps a second | {steps('stepIn', False):,.0f} |")
print(f"| the same, with threads, stack and variables after each | {steps('stepIn', True):,.0f} |")
print(f"| steps back a second | {steps('stepBack', False):,.0f} |")
print(f"| from the start to a breakpoint in block 99,999 of `vector_add` (25.6 million elements) | {far_block():.1f} s |")
