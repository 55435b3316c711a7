"""A class in real browsers: two students and a teacher on one server, through the page and the window:
class_test.py WARPLENS DIST SHOTS [plain|threads…].

A student types code, wrongly first, has it judged and hands it in; the teacher sees it, and sends everybody to a step.
SERVE_PYTHON is a Python with the server's packages (tests/programs/requirements/serve.txt).
"""
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "serve"))
import support  # noqa: E402
from browser import CHROMIUM, DESKTOP, ON_THE_PROCESSOR, begun, click, command, kept, settle  # noqa: E402

HEAD = 'extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n'
WRONG, RIGHT = f"{HEAD}  out[i] = x[i] + y[j];\n}}\n", f"{HEAD}  if (i < n) out[i] = x[i] + y[i];\n}}\n"
EDITOR, JUDGE, HAND_IN = (900, 300), (272, 788), (190, 788)
SCRIPT = "<img src=x onerror=\"document.title='opened'\">"
ISOLATING = ("cross-origin-opener-policy", "cross-origin-embedder-policy")


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def not_isolated(route):
    came = route.fetch()
    route.fulfill(response=came, headers={name: value for name, value in came.headers.items() if name not in ISOLATING})


def joined(browser, server, name, build):
    context = browser.new_context(viewport=DESKTOP, service_workers="block")
    if build == "plain":
        context.route("**/window/**", not_isolated)
    page = context.new_page()
    page.goto(server.address + "/")
    page.fill("#join [name=name]", name)
    page.fill("#join [name=code]", "AAAA-AAAA")
    page.click("#join button")
    page.wait_for_selector('#problem:has-text("wrong")')
    page.fill("#join [name=code]", server.code)
    page.click("#join button")
    page.wait_for_selector("#resume_code:not(:empty)")
    return page


def type_code(page, text):
    page.evaluate("(text) => Object.defineProperty(warplens.page.keys, 'pasted', {configurable: true, get: () => text, set() {}})", text)
    for key in ("Control+a", "Control+v", "Control+Enter"):
        page.keyboard.press(key)
        settle(page, 800)
    settle(page, 3000)


def through_a_challenge(page, shots, build):
    answers = []
    page.on("response", lambda came: came.url.endswith("/api/compile") and answers.append(came.json()["ok"]))
    page.click("#window a")
    begun(page)
    expect(page.evaluate("crossOriginIsolated") == (build == "threads"), f"the page loads another build than {build}")
    command(page, "challenge: mind the end")
    settle(page, 4000)
    click(page, *EDITOR)
    type_code(page, WRONG)
    page.screenshot(path=shots / f"class-{build}-wrong.png")
    type_code(page, RIGHT)
    click(page, *JUDGE)
    settle(page, 4000)
    page.screenshot(path=shots / f"class-{build}-right.png")
    expect(answers[:1] == [False] and True in answers, f"the server said of the two sources: {answers}")
    click(page, *HAND_IN)
    settle(page, 3000)
    page.keyboard.press("Enter")
    page.wait_for_selector('#teacher:has-text("Handed in: ★★★")', timeout=60_000)
    page.wait_for_timeout(2000)  # until it is kept
    stars = kept(page, "progress.json")["challenges"]["bounds_check"]["stars"]
    expect(stars == 3, f"the right answer has {stars} stars")


def lead(browser, server, student, shots, build):
    teacher = browser.new_context().new_page()
    teacher.goto(f"{server.address}/teacher#{server.token}")
    teacher.wait_for_selector('#hand_ins:has-text("★★★")')
    expect("#" not in teacher.url, "the teacher's token is still in the address")
    expect("Ada" not in teacher.inner_text("main"), "names are shown")
    teacher.check("#names")
    teacher.wait_for_selector('#students:has-text("Ada")')
    teacher.fill("[name=lesson]", "who_am_i")
    teacher.fill("[name=step]", "tail")
    teacher.click("#lead button.main")
    teacher.fill("[name=message]", SCRIPT)
    teacher.click("#tell button")
    teacher.wait_for_selector('#students:has-text("who_am_i · tail")', timeout=60_000)
    expect(student.inner_text("#teacher") == SCRIPT, "the student does not see the message")
    student.screenshot(path=shots / f"class-{build}-led.png")
    teacher.screenshot(path=shots / f"class-{build}-teacher.png", full_page=True)
    for page in (teacher, student):
        expect(page.title() != "opened", "a script of a text was run")


def on_another_machine(browser, server, page, build):
    code = page.evaluate("sessionStorage.getItem('code')")
    other = joined(browser, server, "Bob", build)
    other.click("#leave")
    other.fill("#resume [name=name]", "Ada")
    other.fill("#resume [name=code]", code)
    other.click("#resume button")
    other.click("#window a")
    begun(other)
    stars = kept(other, "progress.json")["challenges"]["bounds_check"]["stars"]
    expect(stars == 3, f"on another machine, the progress has {stars} stars")


def main():
    warplens, dist, shots, builds = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:]
    from playwright.sync_api import sync_playwright  # noqa: PLC0415
    os.environ.update(WARPLENS_PROGRAM=os.path.abspath(warplens), PYTHONPATH=str(ROOT / "app" / "python"))
    shots.mkdir(parents=True, exist_ok=True)
    for build in builds or ("threads", "plain"):
        with tempfile.TemporaryDirectory() as folder, sync_playwright() as tool:
            server = support.AsProcess(pathlib.Path(folder) / "store", "--page", str(dist), python=os.environ["SERVE_PYTHON"])
            try:
                browser = tool.chromium.launch(executable_path=CHROMIUM, args=ON_THE_PROCESSOR)
                page = joined(browser, server, "Ada", build)
                page.evaluate("sessionStorage.setItem('code', document.getElementById('resume_code').textContent)")
                through_a_challenge(page, shots, build)
                lead(browser, server, page, shots, build)
                on_another_machine(browser, server, page, build)
                browser.close()
            finally:
                server.close()
        print(f"class, {build}: 1 passed, 0 failed")


if __name__ == "__main__":
    main()
