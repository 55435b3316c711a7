"""A page in Firefox, with what the tests of the page ask of one: by Mozilla's own client of its protocol (Marionette)."""
import base64
import time

from marionette_driver.keys import Keys
from marionette_driver.marionette import Marionette

FIREFOX = "/usr/bin/firefox-esr"
# WebGL on the processor: a machine that tests has no graphics card.
PREFERENCES = {"webgl.force-enabled": True, "app.normandy.enabled": False, "datareporting.policy.dataSubmissionEnabled": False}
LONGEST_S = 120
NAMES = {"Control": Keys.CONTROL, "Shift": Keys.SHIFT, "Alt": Keys.ALT, "Enter": Keys.ENTER, "PageDown": Keys.PAGE_DOWN, "Escape": Keys.ESCAPE}
# The answer, or what went wrong. Not by eval(), which the page of a class forbids.
EVALUATE = """
const [argument, done] = arguments;
Promise.resolve().then(() => {
  const value = (%s);
  return typeof value === 'function' ? value(argument) : value;
}).then((value) => done({value: value === undefined ? null : value}), (error) => done({failed: String(error)}));
"""


class Keyboard:
    def __init__(self, client):
        self.client = client

    def press(self, keys):
        keys = [NAMES.get(key, key) for key in keys.split("+")]
        sequence = self.client.actions.sequence("key", "keyboard")
        for key in keys:
            sequence.key_down(key)
        for key in reversed(keys):
            sequence.key_up(key)
        sequence.perform()

    def type(self, text, delay=0):
        for letter in text:
            self.client.actions.sequence("key", "keyboard").key_down(letter).key_up(letter).perform()
            time.sleep(delay / 1000)


class Mouse:
    def __init__(self, client):
        self.client = client

    def move(self, x, y):
        self.client.actions.sequence("pointer", "mouse", {"pointerType": "mouse"}).pointer_move(x, y).perform()

    def click(self, x, y, delay=0):
        self.client.actions.sequence("pointer", "mouse", {"pointerType": "mouse"}).pointer_move(x, y).pointer_down().pause(delay).pointer_up().perform()


class FirefoxPage:
    """Named as Playwright names it, so that the helpers of browser.py serve both."""

    def __init__(self, client):
        self.client = client
        self.keyboard, self.mouse = Keyboard(client), Mouse(client)

    def goto(self, address):
        self.client.navigate(address)

    def reload(self):
        self.client.refresh()

    def wait_for_timeout(self, ms):
        time.sleep(ms / 1000)

    def evaluate(self, expression, argument=None):
        said = self.client.execute_async_script(EVALUATE % expression, script_args=[argument], sandbox=None)
        if "failed" in said:
            raise RuntimeError(f"{expression}: {said['failed']}")
        return said["value"]

    def wait_until(self, expression, timeout_s=LONGEST_S):
        """A page may be loaded again meanwhile: what was asked of the old one then fails, and is asked again."""
        end, last = time.monotonic() + timeout_s, None
        while time.monotonic() < end:
            try:
                if self.evaluate(expression):
                    return
            except Exception as error:
                last = error
            time.sleep(0.1)
        raise RuntimeError(f"{expression} did not become true in {timeout_s} s" + (f": {last}" if last else ""))

    def wait_for_selector(self, selector, state, timeout):
        hidden = f"document.querySelector('{selector}').hidden"
        self.wait_until(hidden if state == "hidden" else f"!{hidden}", timeout / 1000)

    def screenshot(self, path=None):
        picture = base64.b64decode(self.client.screenshot(full=False))
        if path:
            path.write_bytes(picture)
        return picture


def start(log, size):
    """Firefox with a page of this size. It needs a display: WebGL on the processor is not there without one."""
    client = Marionette(bin=FIREFOX, headless=False, prefs=PREFERENCES, gecko_log=str(log))
    client.start_session()
    client.timeout.script = client.timeout.page_load = LONGEST_S
    page = FirefoxPage(client)
    for _ in range(2):  # its own bars come on top of the page
        frame = client.window_rect
        width, height = page.evaluate("[innerWidth, innerHeight]")
        client.set_window_rect(width=frame["width"] + size["width"] - width, height=frame["height"] + size["height"] - height)
    return page
