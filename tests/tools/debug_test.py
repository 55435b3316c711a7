#!/usr/bin/env python3
"""Runs `warplens debug` as an editor does: over standard input and output, and over a port.

  tests/tools/debug_test.py build/release/warplens
"""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
import zipfile

from debug_client import Client, started

BIN = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release/warplens")
ROOT = pathlib.Path(__file__).resolve().parents[2]
SUMS = str(ROOT / "tests/data/debug/sums.json")


class Debug(unittest.TestCase):
    def step_about(self, client):
        client.launch(program=SUMS, stopOnEntry=True)
        self.assertEqual(client.move("configurationDone")["reason"], "entry")
        self.assertEqual(client.move("next", threadId=1)["reason"], "step")
        self.assertEqual(client.line(1), 16)
        client.move("next", threadId=1)
        self.assertEqual(client.line(1), 17)
        client.move("stepBack", threadId=1)
        self.assertEqual(client.line(1), 16)
        client.ask("disconnect")

    def test_standard_streams(self):
        process, client = started(BIN)
        self.step_about(client)
        process.stdin.close()
        self.assertEqual(process.wait(20), 0)
        process.stdout.close()

    def test_an_editor_that_vanishes(self):
        process, client = started(BIN)
        client.launch(program=SUMS, entry="endless")
        client.ask("setExceptionBreakpoints", filters=[])
        client.ask("configurationDone")
        process.stdin.close()
        self.assertEqual(process.wait(20), 0)
        process.stdout.close()

    def test_counters_of_lines_are_those_of_the_report(self):
        done = subprocess.run([BIN, "run", SUMS, "--json", "-"], capture_output=True, timeout=60)
        report = {line["line"]: line for line in json.loads(done.stdout)["lines"]}
        process, client = started(BIN)
        client.launch(program=SUMS, stopOnEntry=True)
        client.ask("setExceptionBreakpoints", filters=[])  # so it was not run as a whole yet
        client.move("configurationDone")
        told = client.ask("warplens/lineCounters")["lines"]
        self.assertEqual({line["line"] for line in told}, set(report))
        for line in told:
            self.assertTrue(line["source"]["path"] or line["source"]["sourceReference"])
            wanted = report[line["line"]]
            self.assertEqual((line["warpInstructions"], line["globalSectors"], line["bankConflicts"]),
                             (wanted["warp_instructions"], wanted["global_sectors"], wanted["bank_conflicts"]))
            self.assertIn(f"{line['warpInstructions']:,} warp instructions", line["text"])
        said = client.ask("evaluate", expression=":counters", context="repl")["result"]
        self.assertEqual(len(said.splitlines()), len(told))
        client.ask("disconnect")
        process.stdin.close()
        self.assertEqual(process.wait(20), 0)
        process.stdout.close()

    def test_another_protocol(self):
        done = subprocess.run([BIN, "debug"], input=b"GET / HTTP/1.1\r\n\r\n", capture_output=True, timeout=20)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"Content-Length", done.stderr)

    def test_port(self):
        server = subprocess.Popen([BIN, "debug", "--port", "0"], stderr=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r"port (\d+)", server.stderr.readline())[1])
            for _ in range(2):  # one editor after the other
                with socket.create_connection(("127.0.0.1", port), timeout=20) as link, link.makefile("rwb") as file:
                    self.step_about(Client(file, file))
            taken = subprocess.run([BIN, "debug", "--port", str(port)], capture_output=True, timeout=20)
            self.assertEqual(taken.returncode, 1)
            self.assertIn(b"Choose another one", taken.stderr)
        finally:
            server.send_signal(signal.SIGINT)
            self.assertEqual(server.wait(20), 0)
            server.stderr.close()

    def test_too_many_breakpoints_are_refused(self):
        process, client = started(BIN)
        client.launch(program=SUMS)
        for command, breakpoint in (("setBreakpoints", {"line": 16}), ("setFunctionBreakpoints", {"name": "sums"}),
                                    ("setInstructionBreakpoints", {"instructionReference": "0x1"}),
                                    ("setDataBreakpoints", {"dataId": "none"})):
            with self.assertRaisesRegex(ValueError, "too many breakpoints"):
                client.ask(command, source={"path": "sums.cu"}, breakpoints=[breakpoint] * 1001)
        client.ask("disconnect")
        process.stdin.close()
        self.assertEqual(process.wait(20), 0)
        process.stdout.close()

    def test_settings_of_the_editors_are_known(self):
        package = json.loads((ROOT / "app/editors/vscode/package.json").read_text(encoding="utf-8"))
        (debugger,) = package["contributes"]["debuggers"]
        known = debugger["configurationAttributes"]["launch"]["properties"]
        guide = (ROOT / "docs/debug.md").read_text(encoding="utf-8")
        table = guide.split("| setting | what |")[1].split("\n\n")[0]
        documented = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1] if "|" in row else "")}
        self.assertEqual(documented, set(known))
        blocks = dict(reversed(re.findall(r"```(json|lua|lisp)\n(.*?)```", guide, re.DOTALL)))
        code, kate = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", guide, re.DOTALL)][:2]
        settings = [*code["configurations"], *debugger["initialConfigurations"],
                    *(snippet["body"] for snippet in debugger["configurationSnippets"]),
                    kate["dap"]["warplens"]["configurations"]["launch"]["request"],
                    dict.fromkeys(re.findall(r"(\w+) = ", re.search(r"\{ (type = \"warplens\".*?) \},", blocks["lua"])[1])),
                    dict.fromkeys(re.findall(r":(\w+) ", blocks["lisp"][blocks["lisp"].index('"WarpLens"'):]))]
        self.assertEqual(len(settings), 6)
        for setting in settings:
            self.assertIn("program", setting)
            self.assertLessEqual(set(setting) - {"type", "request", "name", "command"}, set(known), setting)

    def test_extension(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, ROOT / "app/editors/vscode/pack", folder], check=True, capture_output=True)
            with zipfile.ZipFile(pathlib.Path(folder) / "warplens.vsix") as archive:
                self.assertEqual(set(archive.namelist()),
                                 {"extension.vsixmanifest", "[Content_Types].xml", "extension/LICENSE.txt",
                                  "extension/package.json", "extension/extension.js"})
                version = re.search(r'Version="([0-9.]+)" Publisher', archive.read("extension.vsixmanifest").decode())[1]
        self.assertIn(f"project(warplens VERSION {version}", (ROOT / "CMakeLists.txt").read_text())


if __name__ == "__main__":
    unittest.main()
