"""What the server of a class costs: serve.py WARPLENS [--students 30] [--seconds 60] [--bursts 3] [--every 2].

Bursts: all students save another source within one second. Then each student, every two seconds (--every), does one of what a page does:
sends progress, votes, compiles, hands in. At the end, what was acknowledged is compared with what is stored. Locust plays the students
(serve_students.py).
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "serve"), str(ROOT / "tests" / "programs")]
import packages  # noqa: E402
import support  # noqa: E402


def memory_mib(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


def load(locust, server, options):
    said = {"CLASS_CODE": server.code, "KERNEL_SOURCE": support.answer("right.cu"), "STUDENTS": options.students, "BURSTS": options.bursts,
            "EVERY_SECONDS": options.every}
    command = [locust, "-B", "-m", "locust", "-f", ROOT / "tests" / "bench" / "serve_students.py", "--headless", "--only-summary",
               "--loglevel", "ERROR", "--host", server.address, "-u", str(options.students), "-r", str(options.students), "-t", f"{options.seconds}s"]
    done = subprocess.run(command, env=os.environ | {name: str(value) for name, value in said.items()}, check=False, stderr=subprocess.DEVNULL)
    return done.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warplens")
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--seconds", type=int, default=60, help="with the bursts")
    parser.add_argument("--bursts", type=int, default=3)
    parser.add_argument("--every", type=float, default=2)
    options = parser.parse_args()
    serve, locust = packages.environment("serve"), packages.environment("locust")
    if serve is None or locust is None:
        return support.SKIPPED
    os.environ.update({"WARPLENS_PROGRAM": os.path.abspath(options.warplens), "PYTHONPATH": str(ROOT / "app" / "python")})
    with tempfile.TemporaryDirectory() as folder:
        server = support.AsProcess(pathlib.Path(folder) / "store", python=serve)
        try:
            before = memory_mib(server.process)
            print(f"{options.students} students, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n", flush=True)
            status = load(locust, server, options)
            print(f"the server's memory {before} MiB, at the end {memory_mib(server.process)} MiB")
        finally:
            server.close()
    return status


if __name__ == "__main__":
    sys.exit(main())
