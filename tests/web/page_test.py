"""Drives the page of dist/web in headless Chromium: the first picture, a long run and its frames with threads and without, every
view of the centre by its key, links, the first lesson by clicks and keys and what stays of it, fingers, files, a phone, a page without a
network, and what the page says where a browser lacks something. Prints sizes and times, and keeps them
for figures.py.

    page_test.py DIST BUILD [PART...]          pictures are in BUILD/screenshots

The parts are the functions below; "timed" are those that measure, and "rest" all others.
"""
import gzip
import json
import os
import pathlib
import re
import sys
import time

from browser import CHROMIUM, LONGEST_MS, ON_THE_PROCESSOR, PLAIN, Trial, begun, click, command, link_of, serve, stop
from file_parts import challenge_is_judged, class_is_read, files_come_and_go, picture_goes_out, several_files
from finger_parts import fingers_work, keyboard_of_the_screen
from lesson_parts import first_lesson
from offline_parts import works_offline
from thread_parts import loads_once_or_twice, runs_in_slices, runs_on_threads
from playwright.sync_api import Error, sync_playwright

WITHOUT_WEBGL = ["--no-sandbox", "--disable-3d-apis"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
FIRST_TAB = (378, 66)
PHONE_TAB = (40, 97)
# What a page lacks: it starts no programs.
NOT_IN_A_PAGE = {"Program"}
# A page without letters and lines is packed to less.
LEAST_PICTURE_BYTES = 15_000


def view_keys(path):
    """The views of the centre, which have keys: title and key."""
    rows = re.findall(r'^WARPLENS_(?:DRAWN_)?VIEW\(\w+, "([^"]+)", "([^"]*)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    return [(title, key) for title, key in rows if key and title not in NOT_IN_A_PAGE]


def first_picture(trial):
    """Of both builds, each time with nothing kept, as for a person who comes for the first time; the median of three."""
    for build, options in (("threads", {}), ("plain", PLAIN)):
        seconds = sorted(first_pictures(trial, options))
        trial.measured.setdefault("first_picture_s", {})[build] = seconds[1]
        print(f"first picture, {build}:", ", ".join(f"{one:.2f} s" for one in seconds), "from the first request")


def first_pictures(trial, options):
    for _ in range(3):
        context = trial.browser.new_context(**options)
        page = context.new_page()
        page.on("pageerror", lambda error: trial.failures.append(f"the page failed: {error}"))
        started = time.monotonic()
        with page.expect_console_message(lambda message: "first picture after" in message.text, timeout=LONGEST_MS):
            page.goto(trial.address + "?measure")
        yield time.monotonic() - started
        context.close()


def every_view(trial):
    views = view_keys(ROOT / "app/base/views.def")
    assert views, "no views were read"
    page = trial.open()
    seen = {}
    for title, key in views:
        page.keyboard.press(f"Alt+Shift+{key}" if key.isdigit() else f"Control+{key.lower()}")  # browsers have Ctrl with digits
        page.wait_for_timeout(2500)
        picture = page.screenshot()
        (trial.shots / f"{title.lower().replace(' ', '_')}.png").write_bytes(picture)
        trial.expect(len(picture) >= LEAST_PICTURE_BYTES, f"{title}: there is nothing to see")
        trial.expect(picture not in seen, f"{title} looks just as {seen.get(picture)}")
        seen[picture] = title
    before = page.screenshot()
    click(page, *FIRST_TAB)
    page.mouse.move(700, 500)
    page.wait_for_timeout(2000)
    trial.expect(page.screenshot() != before, "a click on a tab changes nothing")
    before = page.screenshot()
    command(page, "deutsch")
    page.screenshot(path=trial.shots / "german.png")
    trial.expect(page.screenshot() != before, "the window's language does not change")
    print(f"{len(seen)} views, {len(views)} keys; German words")
    page.close()


def links_bring_back(trial):
    page = trial.open()
    command(page, "kernel: tiled matrix")
    page.keyboard.press("Alt+Shift+3")
    page.wait_for_timeout(3000)
    link, state = link_of(page)
    chosen = state["session"].get("view") == "memory" and state["session"].get("kernel") not in (None, "grayscale")
    trial.expect(chosen, f"the link does not say what was chosen: {state}")
    trial.expect(len(link.split("#")[1]) <= 2048, f"a link of {len(link)} letters")
    other = trial.open(link)
    other.screenshot(path=trial.shots / "of_a_link.png")
    found = link_of(other)[1]
    trial.expect(found == state, f"the link brought back {found} and not {state}")
    newer = trial.open(trial.address + "#w9-abc")
    newer.screenshot(path=trial.shots / "of_a_newer_link.png")
    print(f"a link of {len(link.split('#')[1])} letters brings back kernel, view and sizes")
    for one in (page, other, newer):
        one.close()


def phone(trial):
    context = trial.browser.new_context(viewport={"width": 390, "height": 844}, device_scale_factor=3, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.on("pageerror", lambda error: trial.failures.append(f"the page failed: {error}"))
    page.goto(trial.address)
    begun(page)
    size = page.evaluate("[document.getElementById('canvas').width, document.getElementById('canvas').height]")
    trial.expect(size[0] == 390 * 3, f"on a dense screen the canvas has {size} pixels")
    before = page.screenshot(path=trial.shots / "phone.png")
    page.touchscreen.tap(*PHONE_TAB)
    page.wait_for_timeout(2000)
    trial.expect(page.screenshot(path=trial.shots / "phone_tapped.png") != before, "a tap changes nothing")
    context.close()


def without_webgl(trial):
    browser = trial.browser.browser_type.launch(executable_path=CHROMIUM, args=WITHOUT_WEBGL)
    page = browser.new_page()
    page.goto(trial.address)
    page.wait_for_function("document.getElementById('says').textContent.includes('has no')", timeout=LONGEST_MS)
    sentence = page.text_content("#says")
    trial.expect("WebGL 2" in sentence, f"without WebGL the page says: {sentence}")
    browser.close()


def sizes_and_machine(trial):
    """What the page's files weigh, and on what its times are measured."""
    sizes = {}
    for path in sorted(path for path in trial.dist.rglob("*") if path.is_file()):
        content = path.read_bytes()
        name = str(path.relative_to(trial.dist)).split("/", 1)[-1]  # without the version
        sizes[name] = (len(content), len(gzip.compress(content, 9)))
        print(f"{name:32} {sizes[name][0]:>10,} bytes {sizes[name][1]:>10,} compressed")
    trial.measured |= {"sizes": sizes, "browser": f"Chromium {trial.browser.version.split('.')[0]}", "load": os.getloadavg()[0], "cores": os.cpu_count()}


TIMED = [sizes_and_machine, first_picture, runs_in_slices, runs_on_threads]
REST = [loads_once_or_twice, every_view, links_bring_back, first_lesson, challenge_is_judged, files_come_and_go, picture_goes_out,
         several_files, class_is_read, fingers_work, keyboard_of_the_screen, phone, works_offline, without_webgl]
PARTS = TIMED + REST
GROUPS = {"timed": TIMED, "rest": REST}


def main():
    dist, build = map(pathlib.Path, sys.argv[1:3])
    wanted = [part for word in sys.argv[3:] for part in ([part.__name__ for part in GROUPS[word]] if word in GROUPS else [word])]
    unknown = set(wanted) - {part.__name__ for part in PARTS}
    if unknown:
        raise SystemExit(f"page_test: no part {', '.join(unknown)}; there are {', '.join(part.__name__ for part in PARTS)}")
    (build / "screenshots").mkdir(parents=True, exist_ok=True)
    server, address = serve(dist)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ON_THE_PROCESSOR)
        trial = Trial(browser, address, dist, build / "screenshots", [], {})
        for part in PARTS:
            if not wanted or part.__name__ in wanted:
                started, before = time.monotonic(), len(trial.failures)
                try:
                    part(trial)
                except Error as error:
                    trial.failures.append(f"{part.__name__} ended: {error}")
                print(f"  {part.__name__}: {'ok' if len(trial.failures) == before else 'FAILED'}, {time.monotonic() - started:.0f} s", flush=True)
        browser.close()
    stop(server)
    kept = build / "page.json"
    before = json.loads(kept.read_text()) if wanted and kept.exists() else {}
    kept.write_text(json.dumps(before | trial.measured, indent=1))
    for failure in trial.failures:
        print("FAILED:", failure)
    print(f"{0 if trial.failures else 1} passed, {len(trial.failures)} failed")
    return 1 if trial.failures else 0


if __name__ == "__main__":
    sys.exit(main())
