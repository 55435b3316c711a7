"""A student of a class in Firefox, who types code, wrongly first, and hands it in: firefox_class_test.py WARPLENS DIST BUILD. It needs a
display, as xvfb-run gives one; SERVE_PYTHON as class_test.py does."""
import os
import pathlib
import sys
import tempfile

from browser import DESKTOP, begun, click, command, kept, settle
from class_test import EDITOR, HAND_IN, JUDGE, RIGHT, ROOT, WRONG, expect, type_code
from firefox import start

import support

JOIN = """async (code) => (await fetch("/api/join", {method: "POST", headers: {"Content-Type": "application/json"},
                                                 body: JSON.stringify({name: "Ada", code})})).status"""


def drive(page, server, shots):
    page.goto(server.address + "/")
    expect(page.evaluate(JOIN, "AAAA-AAAA") == 403 and page.evaluate(JOIN, server.code) == 200, "the class code does not count")
    page.goto(server.address + "/window/")
    begun(page)
    expect(page.evaluate("crossOriginIsolated"), "the page has no threads")
    command(page, "challenge: mind the end")
    settle(page, 4000)
    for source, name in ((WRONG, "wrong"), (RIGHT, "right")):
        click(page, *EDITOR)
        type_code(page, source)
        page.screenshot(shots / f"firefox-class-{name}.png")
    click(page, *JUDGE)
    settle(page, 4000)
    click(page, *HAND_IN)
    settle(page, 3000)
    page.keyboard.press("Enter")
    page.wait_until('document.getElementById("teacher").textContent.includes("Handed in: ★★★")')
    page.wait_for_timeout(2000)  # until it is kept
    expect(kept(page, "progress.json")["challenges"]["bounds_check"]["stars"] == 3, "the browser does not keep the stars")


def main():
    warplens, dist, build = sys.argv[1], *map(pathlib.Path, sys.argv[2:4])
    os.environ.update(WARPLENS_PROGRAM=os.path.abspath(warplens), PYTHONPATH=str(ROOT / "app" / "python"))
    with tempfile.TemporaryDirectory() as folder:
        server = support.AsProcess(pathlib.Path(folder) / "store", "--page", str(dist), python=os.environ["SERVE_PYTHON"])
        page = start(build / "firefox.log", DESKTOP)
        try:
            drive(page, server, build / "screenshots")
        finally:
            page.client.quit()
            server.close()
    print("class, Firefox: 1 passed, 0 failed")


if __name__ == "__main__":
    main()
