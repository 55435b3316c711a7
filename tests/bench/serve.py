"""What the server of a class costs: serve.py WARPLENS [--students 30] [--seconds 60] [--bursts 3] [--every 2].

Bursts: all students save another source within one second. Then each student, every two seconds (--every), does one of what a page does:
sends progress, votes, compiles, hands in. At the end, what was acknowledged is compared with what is stored.
"""
import argparse
import asyncio
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "serve"), str(ROOT / "tests" / "programs")]
import support  # noqa: E402

KERNEL = {"name": "kernel.cu", "compute_capability": "8.6"}


def memory_mib(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


class Load:
    def __init__(self, address, code):
        self.address, self.code = address, code
        self.times, self.errors = {}, []
        self.acknowledged, self.handed_in = {}, {}
        self.source = support.answer("right.cu")
        self.sources = 0

    async def timed(self, what, client, path, body):
        begin = time.monotonic()
        came = await client.post(path, json=body)
        self.times.setdefault(what, []).append(time.monotonic() - begin)
        if came.status_code != 200:
            self.errors.append(f"{path}: {came.status_code} {came.text[:100]}")
        return came

    async def join(self, http, number):
        client = http.AsyncClient(base_url=self.address, timeout=120, verify=False)
        await self.timed("join", client, "/api/join", {"name": f"Student {number}", "code": self.code})
        return client

    def another_source(self):
        self.sources += 1
        return f"// {self.sources}\n{self.source}"

    async def save(self, client, what):
        said = (await self.timed(what, client, "/api/compile", {**KERNEL, "source": self.another_source()})).json()
        if not said.get("ok"):
            self.errors.append(f"compile: {said}")

    async def burst(self, clients):
        async def one(client):
            await asyncio.sleep(random.random())
            await self.save(client, "compile, all within one second")
        await asyncio.gather(*map(one, clients))

    async def work(self, number, client, until, every):
        await asyncio.sleep(random.random() * every)
        while time.monotonic() < until:
            begin, what = time.monotonic(), random.choices(("progress", "vote", "compile", "hand in"), (10, 4, 5, 1))[0]
            if what == "progress":
                step = random.randrange(1 << 30)
                body = {"place": {"lesson": "who_am_i", "step": str(step)}, "progress": {"n": step}}
                if (await self.timed(what, client, "/api/progress", body)).status_code == 200:
                    self.acknowledged[number] = step
            elif what == "vote":
                await self.timed(what, client, "/api/vote", {"question": "who_am_i/1", "answer": random.choice("ABCD"), "correct": False})
            elif what == "compile":
                await self.save(client, what)
            else:
                body = {"challenge": "bounds_check", "source": self.another_source()}
                came = await self.timed(what, client, "/api/hand_in", body)
                if came.status_code == 200:
                    self.handed_in[number] = self.handed_in.get(number, 0) + 1
            await asyncio.sleep(max(0, every - (time.monotonic() - begin)))

    async def lost(self, clients):
        found = []
        for number, client in enumerate(clients):
            if number in self.acknowledged and (await client.get("/api/me")).json()["progress"]["n"] != self.acknowledged[number]:
                found.append(f"progress of {number}")
            if len((await client.get("/api/hand_ins")).json()) != self.handed_in.get(number, 0):
                found.append(f"hand-ins of {number}")
        return found


async def listen(client):
    """As a page does the whole time."""
    async with client.stream("GET", "/api/room", timeout=None) as stream:
        async for _ in stream.aiter_lines():
            pass


async def measure(server, options):
    import httpx  # noqa: PLC0415
    load = Load(server.address, server.code)
    clients = await asyncio.gather(*(load.join(httpx, i) for i in range(options.students)))
    pages = [asyncio.create_task(listen(client)) for client in clients]
    for _ in range(options.bursts):
        await load.burst(clients)
    before = memory_mib(server.process)
    until = time.monotonic() + options.seconds
    await asyncio.gather(*(load.work(i, client, until, options.every) for i, client in enumerate(clients)))
    lost, after = await load.lost(clients), memory_mib(server.process)
    for page in pages:
        page.cancel()
    return load, lost, before, after


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--bursts", type=int, default=3)
    parser.add_argument("--every", type=float, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = support.AsProcess(pathlib.Path(folder) / "store")
        try:
            load, lost, before, after = asyncio.run(measure(server, options))
        finally:
            server.close()
    print(f"{options.students} students, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print("| request | number | p50 | p95 | longest |\n|---|---|---|---|---|")
    for what, times in load.times.items():
        cuts = statistics.quantiles(times, n=20, method="inclusive") if len(times) > 1 else times * 19
        print(f"| {what} | {len(times)} | {cuts[9]:.2f} s | {cuts[18]:.2f} s | {max(times):.2f} s |")
    print(f"\nerrors {len(load.errors)}, lost {len(lost)}, the server's memory {before} MiB, at the end {after} MiB")
    for problem in [*load.errors, *lost][:10]:
        print(problem)
    return 1 if load.errors or lost else 0


if __name__ == "__main__":
    if support.READY not in os.environ:
        import packages  # noqa: PLC0415
        python = packages.environment("serve")
        environment = {**os.environ, support.READY: "1", "WARPLENS_PROGRAM": os.path.abspath(sys.argv[1]),
                       "PYTHONPATH": str(ROOT / "app" / "python")}
        sys.exit(subprocess.run([python, "-B", __file__, *sys.argv[2:]], env=environment, check=False).returncode if python else 77)
    sys.exit(main())
