"""Drives the page of dist/web in Firefox: the first picture, a step of the first lesson by a click, what stays of it after
loading again, the commands by keys, a long run. It needs a display, as xvfb-run gives one.

    firefox_test.py DIST BUILD          pictures are in BUILD/screenshots
"""
import pathlib
import sys
import time

from browser import DESKTOP, begun, click, command, kept, serve, stop
from firefox import start
from lesson_parts import STEPS
from thread_parts import builds_fetched

LESSON, STEP = "who_am_i", "point"


def done_steps(page):
    return (kept(page, "progress.json") or {}).get("lessons", {}).get(LESSON, [])


def drive(page, address, shots):
    started = time.monotonic()
    page.goto(address)
    begun(page)
    print(f"begun after {time.monotonic() - started:.1f} s, with the time that all settles")
    yield page.evaluate("crossOriginIsolated") and builds_fetched(page) == ["threads"], f"the page fetched {builds_fetched(page)}"
    first = page.screenshot(shots / "firefox.png")
    before = page.evaluate("window.warplens.PThread.runningWorkers.length")
    yield before > 0, "nothing works on a thread"

    command(page, "kernel: mandelbrot")
    page.wait_for_timeout(3000)
    yield page.screenshot(shots / "firefox_mandelbrot.png") != first, "another kernel changes nothing"

    command(page, "lesson: who am i")
    page.wait_for_timeout(4000)
    for move in STEPS[STEP]:
        click(page, *move[1:])
    for _ in range(30):  # until it is kept
        page.wait_for_timeout(1000)
        if done_steps(page) == [STEP]:
            break
    page.screenshot(shots / "firefox_lesson.png")
    yield done_steps(page) == [STEP], f"of the first lesson {done_steps(page)} are done"

    page.reload()
    begun(page)
    page.screenshot(shots / "firefox_after_reload.png")
    yield done_steps(page) == [STEP], f"after loading again, {done_steps(page)} are done"


def main():
    dist, build = map(pathlib.Path, sys.argv[1:3])
    shots = build / "screenshots"
    shots.mkdir(parents=True, exist_ok=True)
    server, address = serve(dist)
    page = start(build / "firefox.log", DESKTOP)
    try:
        checks = list(drive(page, address, shots))
    finally:
        page.client.quit()
        stop(server)
    failures = [otherwise for holds, otherwise in checks if not holds]
    for failure in failures:
        print("FAILED:", failure)
    print(f"{len(checks) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
