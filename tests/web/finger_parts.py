"""Fingers, by Chromium's protocol: two of them zoom, one that rests pins, one drags."""
from browser import DESKTOP, begun, link_of

# Positions in the picture of the first kernel, in a window of this size.
MIDDLE, PIXEL, DIVIDER = (560, 600), (450, 500), (697, 452)
FIELD = (262, 235)  # the block's x


class Fingers:
    def __init__(self, page):
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def touch(self, kind, *places):
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        self.page.wait_for_timeout(60)

    def pinch(self, middle, before, after, steps=8):
        x, y = middle
        for number in range(steps + 1):
            apart = before + (after - before) * number / steps
            self.touch("touchStart" if number == 0 else "touchMove", (x - apart / 2, y), (x + apart / 2, y))
        self.touch("touchEnd")

    def rest(self, place, ms):
        self.touch("touchStart", place)
        self.page.wait_for_timeout(ms)
        self.touch("touchEnd")

    def drag(self, start, end, steps=8):
        for number in range(steps + 1):
            place = tuple(a + (b - a) * number / steps for a, b in zip(start, end))
            self.touch("touchStart" if number == 0 else "touchMove", place)
        self.touch("touchEnd")


def keyboard_of_the_screen(trial):
    """A finger on a field of text brings the keyboard; what is typed there comes as text, without keys."""
    context = trial.browser.new_context(viewport=DESKTOP, has_touch=True)
    page = context.new_page()
    page.on("pageerror", lambda error: trial.failures.append(f"the page failed: {error}"))
    page.goto(trial.address)
    begun(page)
    focused = "document.activeElement.id"
    page.touchscreen.tap(*PIXEL)
    page.wait_for_timeout(1000)
    trial.expect(page.evaluate(focused) != "keyboard", "a finger on a picture brings the keyboard of the screen")
    page.touchscreen.tap(*FIELD)
    page.wait_for_timeout(1500)
    trial.expect(page.evaluate(focused) == "keyboard", f"a finger on a field of text brings no keyboard: {page.evaluate(focused)} has the focus")
    # As a screen does: changes of the element, and no keys.
    page.keyboard.insert_text("99")
    page.evaluate("document.execCommand('delete')")
    page.evaluate("document.execCommand('delete')")
    page.keyboard.insert_text("4")
    page.wait_for_timeout(1000)
    page.keyboard.press("Enter")
    page.wait_for_timeout(2500)
    page.screenshot(path=trial.shots / "typed_on_the_screen.png")
    trial.expect(page.evaluate(focused) != "keyboard", "the keyboard of the screen stays when the field is left")
    block = link_of(page)[1]["session"].get("block")
    trial.expect(block and block[0] == 4, f"typed on the screen was 4 for the block, which is {block}")
    print("a finger on a field brings the keyboard of the screen; what is typed there arrives")
    context.close()


def shown(page):
    page.wait_for_timeout(1500)
    return page.screenshot()


def fingers_work(trial):
    context = trial.browser.new_context(viewport=DESKTOP, has_touch=True)
    page = context.new_page()
    page.on("pageerror", lambda error: trial.failures.append(f"the page failed: {error}"))
    page.goto(trial.address)
    begun(page)
    fingers = Fingers(page)
    before = shown(page)
    fingers.pinch(MIDDLE, 100, 400)
    larger = shown(page)
    (trial.shots / "pinched.png").write_bytes(larger)
    trial.expect(larger != before, "two fingers that part do not zoom")
    fingers.pinch(MIDDLE, 400, 50)
    trial.expect(shown(page) != larger, "two fingers that close do not zoom out")
    trial.expect("pins" not in link_of(page)[1]["session"], "two fingers pin something")

    fingers.rest(PIXEL, 900)
    pinned = link_of(page)[1]["session"].get("pins", {})
    page.screenshot(path=trial.shots / "pinned_by_a_finger.png")
    trial.expect(pinned.get("index"), f"a finger that rests pins {pinned}")

    before = shown(page)
    fingers.drag(DIVIDER, (DIVIDER[0] - 200, DIVIDER[1]))
    trial.expect(shown(page) != before, "a finger does not drag the divider")
    again = link_of(page)[1]["session"].get("pins", {})
    trial.expect(again == pinned, "a finger that drags pins something else")
    print("two fingers zoom, one that rests pins, one drags")
    context.close()
