"""Drives the page of dist/web in headless Chromium: the first picture, every view of the centre by its key, a long run and
its frames, links, the first lesson and what stays of it, a phone, and what the page says where a browser lacks something.
Prints sizes and times.

    page_test.py DIST VIEWS_DEF LESSONS [SCREENSHOTS]
"""
import base64
import functools
import gzip
import http.server
import json
import pathlib
import re
import sys
import threading
import time
import zlib

from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium"
# WebGL on the processor: a machine that tests has no graphics card.
ON_THE_PROCESSOR = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
WITHOUT_WEBGL = ["--no-sandbox", "--disable-3d-apis"]
LONGEST_MS = 120_000
FIRST_TAB = (378, 66)
# What the first step of the first lesson asks for: a thread.
FIRST_THREAD = (562, 621)
PHONE_TAB = (40, 97)
DESKTOP = {"width": 1400, "height": 860}
SETTLE_MS = 4000
# What a frame may take is 50 ms; this machine has other work too.
MOST_MS_OF_A_PIECE = 100
# What a page lacks: it starts no programs.
NOT_IN_A_PAGE = {"Program"}
# A page without letters and lines is packed to less.
LEAST_PICTURE_BYTES = 15_000


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}/"


def view_keys(path):
    """The views of the centre, which have keys: title and key."""
    rows = re.findall(r'^WARPLENS_(?:DRAWN_)?VIEW\(\w+, "([^"]+)", "([^"]*)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    return [(title, key) for title, key in rows if key and title not in NOT_IN_A_PAGE]


def first_lesson(folder):
    """Its title, and of each step the name and the key of the right choice, where it asks for one."""
    for path in folder.glob("*/lesson.md"):
        text = path.read_text(encoding="utf-8")
        if not re.search(r"^lesson: 1$", text, re.MULTILINE):
            continue
        steps = []
        for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
            choice = re.search(r"kind: choice.*?^right: ([A-D])$", part, re.MULTILINE | re.DOTALL)
            steps.append((re.search(r"\{#(\w+)\}", part)[1], str("ABCD".index(choice[1]) + 1) if choice else ""))
        return {"title": re.search(r"^title: (.*)$", text, re.MULTILINE)[1], "steps": steps}
    raise SystemExit(f"{folder} has no lesson 1")


def opened(browser, address, failures, **options):
    page = browser.new_page(**options)
    page.on("pageerror", lambda error: failures.append(f"the page failed: {error}"))
    page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
    page.goto(address)
    return page


def first_picture(browser, address, failures):
    page = browser.new_page()
    page.on("pageerror", lambda error: failures.append(f"the page failed: {error}"))
    begun = time.monotonic()
    with page.expect_console_message(lambda message: "first picture after" in message.text, timeout=LONGEST_MS) as said:
        page.goto(address + "?measure")
    seconds = time.monotonic() - begun
    print(f"first picture: {seconds:.2f} s from the first request ({said.value.text})")
    page.close()


def look_at_views(browser, address, views, shots, failures):
    page = opened(browser, address, failures, viewport=DESKTOP)
    begun(page)
    page.wait_for_timeout(SETTLE_MS)
    seen = {}
    for title, key in views:
        page.keyboard.press(f"Alt+Shift+{key}")
        page.wait_for_timeout(2500)
        picture = page.screenshot()
        (shots / f"{title.lower().replace(' ', '_')}.png").write_bytes(picture)
        if len(picture) < LEAST_PICTURE_BYTES:
            failures.append(f"{title}: there is nothing to see")
        if picture in seen:
            failures.append(f"{title} looks just as {seen[picture]}")
        seen[picture] = title
    print(f"{len(seen)} views, {len(views)} keys")
    before = page.screenshot()
    # The first tab, where it stands in a window of this size; a person moves there first, and holds the button a while.
    page.mouse.move(*FIRST_TAB)
    page.wait_for_timeout(200)
    page.mouse.click(*FIRST_TAB, delay=90)
    page.mouse.move(700, 500)
    page.wait_for_timeout(2000)
    if page.screenshot() == before:
        failures.append("a click on a tab changes nothing")
    page.close()


def begun(page):
    page.wait_for_selector("#loading", state="hidden", timeout=LONGEST_MS)
    page.wait_for_timeout(SETTLE_MS)


def command(page, words):
    """Runs a command of the palette by its words."""
    page.keyboard.press("Control+p")
    page.wait_for_timeout(700)
    page.keyboard.type(words, delay=20)
    page.wait_for_timeout(700)
    page.keyboard.press("Enter")
    page.wait_for_timeout(1500)


def link_of(page):
    """The state of the page: what Copy link says, and what is packed in it."""
    page.evaluate("window.warplens.page.keys.pasted = ''")
    command(page, "copy link")
    page.wait_for_function("window.warplens.page.keys.pasted.includes('#w1-')", timeout=20_000)
    link = page.evaluate("window.warplens.page.keys.pasted")
    packed = link.split("#w1-")[1]
    return link, json.loads(zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))))


def kept(page, name):
    path = f"/kept/warplens/{name}"
    there = page.evaluate(f"window.warplens.FS.analyzePath('{path}').exists")
    return json.loads(page.evaluate(f"window.warplens.FS.readFile('{path}', {{encoding: 'utf8'}})")) if there else None


def links_bring_back(browser, address, shots, failures):
    page = opened(browser, address, failures, viewport=DESKTOP)
    begun(page)
    command(page, "kernel: tiled matrix")
    page.keyboard.press("Alt+Shift+3")
    page.wait_for_timeout(3000)
    link, state = link_of(page)
    if state["session"].get("view") != "memory" or state["session"].get("kernel") in (None, "grayscale"):
        failures.append(f"the link does not say what was chosen: {state}")
    if len(link.split("#")[1]) > 2048:
        failures.append(f"a link of {len(link)} letters")
    other = opened(browser, link, failures, viewport=DESKTOP)
    begun(other)
    other.screenshot(path=shots / "of_a_link.png")
    found = link_of(other)[1]
    if found != state:
        failures.append(f"the link brought back {found} and not {state}")
    newer = opened(browser, address + "#w9-abc", failures, viewport=DESKTOP)
    begun(newer)
    newer.screenshot(path=shots / "of_a_newer_link.png")
    print(f"a link of {len(link.split('#')[1])} letters brings back kernel, view and sizes")
    for one in (page, other, newer):
        one.close()


def play_lesson(browser, address, steps, shots, failures):
    """The first lesson from step to step by keys, with its choices answered, and what stays of it."""
    page = opened(browser, address, failures, viewport=DESKTOP)
    begun(page)
    command(page, f"lesson: {steps['title']}")
    page.wait_for_timeout(2000)
    seen = []
    for number, (step, choice) in enumerate(steps["steps"]):
        if number == 0:
            page.mouse.move(*FIRST_THREAD)
            page.wait_for_timeout(300)
            page.mouse.click(*FIRST_THREAD, delay=90)
            page.wait_for_timeout(2000)
        if choice:
            page.keyboard.press(choice)
            page.wait_for_timeout(500)
        page.screenshot(path=shots / f"lesson_{number + 1:02}.png")
        seen.append(link_of(page)[1].get("step"))
        page.keyboard.press("PageDown")
        page.wait_for_timeout(2500)
    wanted = [step for step, _ in steps["steps"]]
    if seen != wanted:
        failures.append(f"the lesson went through {seen} and not {wanted}")
    page.wait_for_timeout(3000)
    before = kept(page, "progress.json")
    page.reload()
    begun(page)
    after = kept(page, "progress.json")
    kept_of_it = ("lessons", "answers")
    if not before or not all(before.get(key) and before[key] == after.get(key) for key in kept_of_it):
        failures.append(f"of the progress {before} there is {after} after loading the page again")
    page.screenshot(path=shots / "after_reload.png")
    command(page, "forget me")
    page.wait_for_timeout(3000)
    begun(page)
    if kept(page, "progress.json"):
        failures.append("Forget me leaves the progress")
    print(f"{len(seen)} steps of the first lesson; progress stays, and is forgotten")
    page.close()


def runs_in_slices(browser, address, failures):
    """A long run leaves the page its frames: none of its pieces of work is long."""
    page = opened(browser, address, failures, viewport=DESKTOP)
    begun(page)
    if page.evaluate("typeof WebAssembly.Suspending") != "function":
        print("this browser cannot stop a run in its midst")
        return page.close()
    page.evaluate("window.warplens.page.pieces = []")
    command(page, "kernel: mandelbrot")
    page.wait_for_timeout(6000)
    pieces = sorted(page.evaluate("window.warplens.page.pieces"))
    if len(pieces) < 10:
        failures.append(f"a long run was done in {len(pieces)} pieces")
    middle, most = pieces[len(pieces) // 2], pieces[len(pieces) * 95 // 100]
    print(f"a long run: {len(pieces)} pieces of work, {middle:.0f} ms at the median, {most:.0f} ms at the 95th percentile")
    if most > MOST_MS_OF_A_PIECE:
        failures.append(f"pieces of a run take {most:.0f} ms")
    page.close()


def on_a_phone(play, browser, address, shots, failures):
    context = browser.new_context(viewport={"width": 390, "height": 844}, device_scale_factor=3, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.on("pageerror", lambda error: failures.append(f"the page failed: {error}"))
    page.goto(address)
    begun(page)
    size = page.evaluate("[document.getElementById('canvas').width, document.getElementById('canvas').height]")
    if size[0] != 390 * 3:
        failures.append(f"on a dense screen the canvas has {size} pixels")
    page.screenshot(path=shots / "phone.png")
    before = page.screenshot()
    page.touchscreen.tap(*PHONE_TAB)
    page.wait_for_timeout(2000)
    page.screenshot(path=shots / "phone_tapped.png")
    if page.screenshot() == before:
        failures.append("a tap changes nothing")
    context.close()


def without_webgl(play, address, failures):
    browser = play.chromium.launch(executable_path=CHROMIUM, args=WITHOUT_WEBGL)
    page = browser.new_page()
    page.goto(address)
    page.wait_for_function("document.getElementById('says').textContent.includes('has no')", timeout=LONGEST_MS)
    sentence = page.text_content("#says")
    if "WebGL 2" not in sentence:
        failures.append(f"without WebGL the page says: {sentence}")
    browser.close()


def main():
    dist, views_def, lessons = map(pathlib.Path, sys.argv[1:4])
    shots = pathlib.Path(sys.argv[4] if len(sys.argv) > 4 else dist.parent / "web-screenshots")
    shots.mkdir(parents=True, exist_ok=True)
    views = view_keys(views_def)
    assert views, "no views were read"
    for path in sorted(dist.iterdir()):
        content = path.read_bytes()
        print(f"{path.name:16} {len(content):>10,} bytes {len(gzip.compress(content, 9)):>10,} compressed")
    server, address = serve(dist)
    failures = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ON_THE_PROCESSOR)
        first_picture(browser, address, failures)
        runs_in_slices(browser, address, failures)
        look_at_views(browser, address, views, shots, failures)
        links_bring_back(browser, address, shots, failures)
        play_lesson(browser, address, first_lesson(lessons), shots, failures)
        on_a_phone(play, browser, address, shots, failures)
        browser.close()
        without_webgl(play, address, failures)
    server.shutdown()
    for failure in failures:
        print("FAILED:", failure)
    print(f"{0 if failures else 1} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
