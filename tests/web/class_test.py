"""A class in real browsers: two students and a teacher on one server, through the page and the window:
class_test.py WARPLENS DIST SHOTS [plain|threads…].

A student types code, wrongly first, has it judged and hands it in; the teacher sees it, sends everybody to a step of a lesson, in which
both students type a line, wrongly first, and shows the answers of another.
SERVE_PYTHON is a Python with the server's packages (tests/programs/requirements/serve.txt). If WARPLENS_PYTHON is one with Numba, answers in
Python are dropped too.
"""
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "serve"))
import support  # noqa: E402
from file_parts import drop  # noqa: E402
from browser import CHROMIUM, DESKTOP, ON_THE_PROCESSOR, begun, click, command, kept, settle  # noqa: E402

HEAD = 'extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n'
WRONG, RIGHT = f"{HEAD}  out[i] = x[i] + y[j];\n}}\n", f"{HEAD}  if (i < n) out[i] = x[i] + y[i];\n}}\n"
PYTHON = support.answer("right.py")
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


def put_in_clipboard(page, text):
    page.evaluate("(text) => Object.defineProperty(warplens.page.keys, 'pasted', {configurable: true, get: () => text, set() {}})", text)


def type_code(page, text):
    put_in_clipboard(page, text)
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


def in_python(page, shots, build):
    """A file that is dropped is judged by the server, which has Numba."""
    languages = []
    page.on("request", lambda asked: asked.url.endswith("/api/hand_in") and languages.append(asked.post_data_json["language"]))
    for name, source, wrongs in (("wrong", PYTHON.replace("if i < n:", "if i <= n:"), 1), ("right", PYTHON, 0)):
        before = of_challenge(page)
        drop(page, {"mine.py": source.encode()})
        for _ in range(120):
            settle(page, 500)
            now = of_challenge(page)
            if now["tries"] > before["tries"]:
                break
        page.screenshot(path=shots / f"class-{build}-python-{name}.png")
        got = (now["tries"] - before["tries"], rejections(now) - rejections(before))
        expect(got == (1, wrongs), f"the {name} answer in Python: {got[0]} tries, {got[1]} rejections")
    click(page, *HAND_IN)
    settle(page, 3000)
    page.keyboard.press("Enter")
    page.wait_for_selector('#teacher:has-text("Handed in: ★★★")', timeout=60_000)
    expect(languages == ["numba"], f"handed in are answers in {languages}")


def of_challenge(page):
    return kept(page, "progress.json")["challenges"]["bounds_check"]


def rejections(of):
    return sum((of.get("rejected") or {}).values())


def lead(browser, server, student, shots, build):
    """Returns the teacher's page."""
    teacher = browser.new_context().new_page()
    teacher.goto(f"{server.address}/teacher#{server.token}")
    teacher.wait_for_selector('#hand_ins:has-text("★★★")')
    expect("#" not in teacher.url, "the teacher's token is still in the address")
    expect("Ada" not in teacher.inner_text("main"), "names are shown")
    teacher.check("#names")
    teacher.wait_for_selector('#students:has-text("Ada")')
    send_to(teacher, "tail")
    teacher.fill("[name=message]", SCRIPT)
    teacher.click("#tell button")
    student.wait_for_selector('#teacher:has-text("<img")')
    expect(student.inner_text("#teacher") == SCRIPT, "the student does not see the message")
    student.screenshot(path=shots / f"class-{build}-led.png")
    teacher.screenshot(path=shots / f"class-{build}-teacher.png", full_page=True)
    for page in (teacher, student):
        expect(page.title() != "opened", "a script of a text was run")
    return teacher


LINE = (673, 242)  # line 6 of the step's code
WRONG_LINE, RIGHT_LINE = "  if (i <= n) out[i] = x[i] + y[i];", "  if (i < n) out[i] = x[i] + y[i];"


def type_line(page, text):
    put_in_clipboard(page, text)
    click(page, *LINE)
    for key in ("End", "Shift+Home", "Control+v"):
        page.keyboard.press(key)
        settle(page, 400)
    settle(page, 4000)


def done_steps(page):
    page.wait_for_timeout(2000)  # until it is kept
    return kept(page, "progress.json")["lessons"].get("who_am_i", [])


def send_to(teacher, step):
    teacher.fill("[name=lesson]", "who_am_i")
    teacher.fill("[name=step]", step)
    teacher.click("#lead button.main")
    teacher.wait_for_selector(f'#students tr:nth-child(2):has-text("who_am_i · {step}")', timeout=60_000)


def through_a_lesson(teacher, students, shots, build):
    """The teacher sends two students to a step in which they type code, and shows them the answers of another."""
    send_to(teacher, "repair")
    for student in students:
        settle(student, 3000)
        type_line(student, WRONG_LINE)
        expect("repair" not in done_steps(student), "the step is done with a wrong line")
        type_line(student, RIGHT_LINE)
        student.screenshot(path=shots / f"class-{build}-lesson.png")
        expect("repair" in done_steps(student), "the step is not done with the right line")
    send_to(teacher, "formula")
    settle(students[0], 3000)
    before = students[0].screenshot(path=shots / f"class-{build}-hidden.png")
    teacher.click("#reveal")
    teacher.wait_for_selector('#state:has-text("Its answers are shown")')
    settle(students[0], 3000)
    expect(students[0].screenshot(path=shots / f"class-{build}-revealed.png") != before, "the answers are not shown")


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
            server = support.AsProcess(pathlib.Path(folder) / "store", "--page", str(dist),
                                       *(["--numba"] if support.HAS_NUMBA else []), python=os.environ["SERVE_PYTHON"])
            try:
                browser = tool.chromium.launch(executable_path=CHROMIUM, args=ON_THE_PROCESSOR)
                page = joined(browser, server, "Ada", build)
                page.evaluate("sessionStorage.setItem('code', document.getElementById('resume_code').textContent)")
                through_a_challenge(page, shots, build)
                if support.HAS_NUMBA:
                    in_python(page, shots, build)
                second = joined(browser, server, "Bert", build)
                second.click("#window a")
                begun(second)
                teacher = lead(browser, server, page, shots, build)
                through_a_lesson(teacher, [page, second], shots, build)
                on_another_machine(browser, server, page, build)
                browser.close()
            finally:
                server.close()
        print(f"class, {build}: 1 passed, 0 failed")


if __name__ == "__main__":
    main()
