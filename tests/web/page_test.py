"""Drives the page of dist/web in headless Chromium: the first picture, every view of the centre by its key, and what the
page says where a browser lacks something. Prints sizes and times.

    page_test.py DIST VIEWS_DEF [SCREENSHOTS]
"""
import functools
import gzip
import http.server
import pathlib
import re
import sys
import threading
import time

from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium"
# WebGL on the processor: a machine that tests has no graphics card.
ON_THE_PROCESSOR = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
WITHOUT_WEBGL = ["--no-sandbox", "--disable-3d-apis"]
LONGEST_MS = 120_000
FIRST_TAB = (378, 66)
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
    page = opened(browser, address, failures, viewport={"width": 1400, "height": 860})
    page.wait_for_selector("#loading", state="hidden", timeout=LONGEST_MS)
    page.wait_for_timeout(8000)
    seen = {}
    for title, key in views:
        page.keyboard.press(f"Control+{key}")
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
    dist, views_def = map(pathlib.Path, sys.argv[1:3])
    shots = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else dist.parent / "web-screenshots")
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
        look_at_views(browser, address, views, shots, failures)
        browser.close()
        without_webgl(play, address, failures)
    server.shutdown()
    for failure in failures:
        print("FAILED:", failure)
    print(f"{0 if failures else 1} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
