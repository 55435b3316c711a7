"""What is found in other people's programs, by default or with `--sanitize all`, beside what accused.txt lists as true."""
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent


def true_findings(collection):
    """Program, or test file of a suite → how many findings of it are true."""
    rows = [line.split(" | ") for line in (HERE / "accused.txt").read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    return {path: int(count) for of, path, count, _ in rows if of == collection}


def options(report, sanitize):
    """What is asked of `warplens program`."""
    return ["--json", str(report), *(["--sanitize", "all"] if sanitize else [])]


def accusation(report, true):
    """Empty, or in words what the report has beside this many true findings."""
    if not report.exists():
        return "accused: it left no report"
    findings = json.loads(report.read_text(encoding="utf-8"))["findings"]
    if len(findings) <= true:
        return ""
    return f"accused: {len(findings)} findings, the first: " + " ".join(findings[0]["message"].split())[:600]
