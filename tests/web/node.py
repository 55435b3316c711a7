"""Runs commands of the program that is built for a web page, in Node.js (run.js)."""
import json
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def run_commands(program, commands, folder, *workers):
    """The answer to each command. What they write below /out is below folder/0, folder/1 and so on."""
    text = "\n".join(json.dumps(command) for command in commands)
    ran = subprocess.run(["node", str(HERE / "run.js"), str(program), str(folder), *map(str, workers)], input=text, capture_output=True, text=True)
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    if ran.returncode or len(answers) != len(commands):
        raise SystemExit(f"Node.js ended with status {ran.returncode}:\n{ran.stderr[-3000:]}")
    return answers
