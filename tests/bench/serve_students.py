"""The students of tools/bench serve, for Locust: each joins, listens as a page does, saves together with all others (the bursts), and
then does one of what a page does every few seconds. At the end each looks whether what was acknowledged is stored.

The class code, the bursts and the pace come from serve.py by the environment.
"""
import itertools
import os
import random
import threading

import gevent
from locust import FastHttpUser, between, events, task

CODE, SOURCE = os.environ["CLASS_CODE"], os.environ["KERNEL_SOURCE"]
STUDENTS, BURSTS, EVERY_SECONDS = int(os.environ["STUDENTS"]), int(os.environ["BURSTS"]), float(os.environ["EVERY_SECONDS"])
KERNEL = {"name": "kernel.cu", "compute_capability": "8.6"}
BURST, STORED = "compile, all within one second", "what is stored"
numbers = itertools.count()
together = threading.Barrier(STUDENTS)  # Locust makes it one of its own threads


def another_source():
    return f"// {next(numbers)}\n{SOURCE}"


class Student(FastHttpUser):
    wait_time = between(0.5 * EVERY_SECONDS, 1.5 * EVERY_SECONDS)  # so that they do not fall into step
    connection_timeout = network_timeout = 120

    def on_start(self):
        self.progress, self.hand_ins = None, 0
        self.post("join", "/api/join", {"name": f"Student {next(numbers)}", "code": CODE})
        self.listener = gevent.spawn(self.listen)
        for _ in range(BURSTS):
            together.wait()
            gevent.sleep(random.random())
            self.save(BURST)
        together.wait()
        gevent.sleep(random.random() * EVERY_SECONDS)

    def post(self, what, path, body):
        with self.client.post(path, json=body, name=what, catch_response=True) as came:
            return came.json() if came.status_code == 200 else None

    def listen(self):
        with self.client.get("/api/room", stream=True, catch_response=True, name="listen") as came:
            came.success()
            for _ in came.iter_lines():
                pass

    def save(self, what):
        with self.client.post("/api/compile", json={**KERNEL, "source": another_source()}, name=what, catch_response=True) as came:
            if came.status_code == 200 and not came.json().get("ok"):
                came.failure(f"does not compile: {came.text[:200]}")

    @task(10)
    def note_progress(self):
        step = next(numbers)
        if self.post("progress", "/api/progress", {"place": {"lesson": "who_am_i", "step": str(step)}, "progress": {"n": step}}) is not None:
            self.progress = step

    @task(4)
    def vote(self):
        self.post("vote", "/api/vote", {"question": "who_am_i/point/1", "answer": random.choice("ABCD"), "correct": False})

    @task(5)
    def compile(self):
        self.save("compile, at work")

    @task(1)
    def hand_in(self):
        if self.post("hand in, until the verdict", "/api/hand_in", {"challenge": "bounds_check", "source": another_source()}) is not None:
            self.hand_ins += 1

    def on_stop(self):
        """What was under way at the end may be stored without an answer that says so."""
        self.listener.kill()
        for path, is_there in (("/api/me", lambda told: self.progress is None or told["progress"].get("n", -1) >= self.progress),
                               ("/api/hand_ins", lambda told: len(told) >= self.hand_ins)):
            with self.client.get(path, name=STORED, catch_response=True) as came:
                if came.status_code == 200 and not is_there(came.json()):
                    came.failure(f"lost: {path} has {came.text[:100]}")


@events.quitting.add_listener
def say(environment, **_):
    stats = environment.stats
    print("| request | number | p50 | p95 | longest |\n|---|---|---|---|---|")
    for one in sorted(stats.entries.values(), key=lambda one: one.start_time):
        if one.name not in (STORED, "listen"):
            times = (one.get_response_time_percentile(0.5), one.get_response_time_percentile(0.95), one.max_response_time)
            print(f"| {one.name} | {one.num_requests} | {' | '.join(f'{ms / 1000:.2f} s' for ms in times)} |")
    print(f"\nerrors {stats.total.num_failures}, of them lost {stats.get(STORED, 'GET').num_failures}")
    for error in list(stats.errors.values())[:10]:
        print(f"{error.name}: {error.error} ({error.occurrences})")
    environment.process_exit_code = 1 if stats.total.num_failures else 0
