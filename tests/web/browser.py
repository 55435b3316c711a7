"""What the tests of the page share: a server of the folder, Chromium, and what a person does: commands, clicks, fingers."""
import base64
import dataclasses
import functools
import http.server
import json
import pathlib
import threading
import zlib

CHROMIUM = "/usr/bin/chromium"
# WebGL on the processor: a machine that tests has no graphics card.
ON_THE_PROCESSOR = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
LONGEST_MS = 120_000
DESKTOP = {"width": 1400, "height": 860}
SETTLE_MS = 4000
# A page without service workers is not isolated, and loads the build without threads.
PLAIN = {"service_workers": "block"}


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".wasm": "application/wasm"}

    def __init__(self, *arguments, headers, **options):
        self.more_headers = headers
        super().__init__(*arguments, **options)

    def end_headers(self):
        for name, value in self.more_headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_):
        pass


def serve(folder, port=0, headers={}):
    """The server and the page's address. A port that is free, or that of a server before."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Quiet, directory=folder, headers=headers))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}/"


def stop(server):
    server.shutdown()
    server.server_close()


def begun(page):
    page.wait_for_selector("#loading", state="hidden", timeout=LONGEST_MS)
    page.wait_for_timeout(SETTLE_MS)


def settle(page, ms):
    """So long, and until the page has drawn what came of it: a busy machine takes longer."""
    page.wait_for_timeout(ms)
    page.evaluate("""() => new Promise((done) => {
        let frames = 4;
        const each = () => --frames ? requestAnimationFrame(each) : done();
        requestAnimationFrame(each);
    })""")


def command(page, words):
    """Runs a command of the palette by its words."""
    page.keyboard.press("Control+p")
    settle(page, 500)
    page.keyboard.type(words, delay=20)
    settle(page, 500)
    page.keyboard.press("Enter")
    settle(page, 1200)


def click(page, x, y):
    """A person moves there first, and holds the button a while."""
    page.mouse.move(x, y)
    settle(page, 200)
    page.mouse.click(x, y, delay=90)
    settle(page, 400)


def state_in(link):
    packed = link.split("#w1-")[1]
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))))


def link_of(page):
    """The state of the page: what Copy link says, and what is packed in it."""
    page.evaluate("window.warplens.page.keys.pasted = ''")
    command(page, "copy link")
    page.wait_for_function("window.warplens.page.keys.pasted.includes('#w1-')", timeout=20_000)
    link = page.evaluate("window.warplens.page.keys.pasted")
    return link, state_in(link)


def kept(page, name):
    path = f"/kept/warplens/{name}"
    there = page.evaluate(f"window.warplens.FS.analyzePath('{path}').exists")
    return json.loads(page.evaluate(f"window.warplens.FS.readFile('{path}', {{encoding: 'utf8'}})")) if there else None


@dataclasses.dataclass
class Trial:
    """What each part of the test has: a browser and an address, and where it says what it found."""
    browser: object
    address: str
    dist: pathlib.Path
    shots: pathlib.Path
    failures: list
    measured: dict

    def expect(self, holds, otherwise):
        if not holds:
            self.failures.append(otherwise)

    def open(self, address="", **options):
        page = self.browser.new_page(**({"viewport": DESKTOP} | options))
        page.on("pageerror", lambda error: self.failures.append(f"the page failed: {error}"))
        page.on("console", lambda message: self.failures.append(message.text) if message.type == "error" else None)
        page.goto(address or self.address)
        begun(page)
        return page
