"""The first lesson whole, by clicks and keys, with wrong answers on the way; and what stays of it."""
import pathlib
import re

from browser import DESKTOP, begun, click, command, kept, link_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
LESSON = ROOT / "assets/lessons/who_am_i/lesson.md"
PHOTOGRAPH = ROOT / "docs/screenshot.png"  # a picture that is none of the program's
FIELD = ("click", 80, 736)  # the field of a question, at the foot of the lesson
# For each step, the actions of a person in a window of this size: clicks at positions, typed answers, keys of
# choices, and a file that is chosen when a click opens the browser's chooser. A wrong answer comes before the right
# one.
STEPS = {
    "point": [("click", 562, 621)],
    "same_number": [("click", 575, 625), ("click", 845, 625), ("key", "3"), ("key", "2")],
    "formula": [("click", 190, 672), ("click", 314, 672), ("click", 79, 672), ("click", 51, 736), ("click", 123, 608), ("click", 75, 704), ("click", 51, 736),
                FIELD, ("type", "9"), FIELD, ("type", "11")],
    "tail": [("click", 1050, 625), ("click", 1113, 625), ("click", 1177, 625), ("key", "1"), ("key", "3")],
    "too_few": [("click", 1136, 300), ("click", 1234, 300), ("click", 1330, 300)],
    "grid": [("click", 174, 740), ("click", 131, 740)],
    "blocks": [FIELD, ("type", "4"), FIELD, ("type", "24")],
    "fault": [("click", 195, 626), ("click", 673, 268)],
    "repair": [("click", 72, 400), ("click", 72, 344)],
    "photograph": [("click", 500, 200), ("click", 775, 350), ("key", "3"), ("key", "1")],
    "eye": [FIELD, ("type", "10"), FIELD, ("type", "13")],
    "volume": [("click", 700, 198), ("click", 1209, 331), ("type", "32")],
    "own": [("click", 196, 737), ("choose", 55, 826)],
}
# Questions that are answered wrongly first.
WRONGLY = {"same_number/1", "same_number/2", "formula/1", "formula/2", "tail/1", "tail/2", "too_few/1", "photograph/1", "photograph/2"}


def steps_of_lesson():
    return re.findall(r"^## .*\{#(\w+)\}", LESSON.read_text(encoding="utf-8"), re.MULTILINE)


def is_at_rest(page):
    """Whether an event that changes nothing changes no picture: then nothing was left to draw."""
    before, same = page.screenshot(), 0
    for _ in range(20):  # until it stays for two seconds
        page.wait_for_timeout(1000)
        now = page.screenshot()
        same, before = same + 1 if now == before else 0, now
        if same == 2:
            break
    page.keyboard.press("Shift")
    page.wait_for_timeout(1200)
    return page.screenshot() == before


def do(page, what, *how):
    if what == "click":
        click(page, *how)
    elif what == "key":
        page.keyboard.press(how[0])
    elif what == "type":
        page.keyboard.press("Control+a")
        page.keyboard.type(how[0], delay=50)
        page.keyboard.press("Enter")
    elif what == "choose":
        with page.expect_file_chooser() as chooser:
            click(page, *how)
        chooser.value.set_files(PHOTOGRAPH)
        page.wait_for_timeout(3000)
    page.wait_for_timeout(1200)


def first_lesson(trial):
    steps = steps_of_lesson()
    trial.expect(steps == list(STEPS), f"the lesson has the steps {steps}, and this test knows {list(STEPS)}")
    page = trial.open()
    command(page, "lesson: who am i")
    page.wait_for_timeout(2500)
    for number, moves in enumerate(STEPS.values(), 1):
        if number == len(STEPS):
            trial.expect(is_at_rest(page), "the last step, which waits for its run, is not whole before the next key")
        for move in moves:
            do(page, *move)
        page.screenshot(path=trial.shots / f"lesson_{number:02}.png")
        if number < len(STEPS):
            page.keyboard.press("PageDown")
            page.wait_for_timeout(3000)
    trial.expect(link_of(page)[1].get("step") == steps[-1], "the link names another step than the last one")
    page.wait_for_timeout(1500)
    before = kept(page, "progress.json")
    done = before["lessons"].get("who_am_i", [])
    trial.expect(sorted(done) == sorted(steps), f"of the first lesson only {done} are done")
    answers = before["answers"].get("who_am_i", {})
    wrongly = {question for question, answered in answers.items() if answered["wrong"]}
    trial.expect(wrongly == WRONGLY, f"answered wrongly were {sorted(wrongly)} and not {sorted(WRONGLY)}")

    page.reload()
    begun(page)
    after = kept(page, "progress.json")
    trial.expect(all(before[key] == after[key] for key in ("lessons", "answers")), f"of the progress {before} there is {after} after loading the page again")
    page.screenshot(path=trial.shots / "after_reload.png")
    state = link_of(page)[1]
    there = (state.get("lesson"), state.get("step"))
    trial.expect(there == ("who_am_i", steps[-1]), f"after loading the page again there is {there}, and not the step that was open")
    command(page, "forget me")
    page.wait_for_timeout(3000)
    begun(page)
    trial.expect(not kept(page, "progress.json"), "Forget me leaves the progress")
    print(f"{len(steps)} steps of the first lesson by clicks and keys, {len(WRONGLY)} questions wrongly first; progress stays, and is forgotten")
    page.close()
