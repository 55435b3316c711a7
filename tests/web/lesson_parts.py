"""The first lesson whole, by clicks and keys, with wrong answers on the way; and what stays of it."""
import pathlib
import re

from browser import DESKTOP, begun, click, command, kept, link_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
LESSON = ROOT / "assets/lessons/who_am_i/lesson.md"
PHOTOGRAPH = ROOT / "docs/screenshot.png"  # a picture that is none of the program's
FIELD = (80, 508)
# For each step, the actions of a person in a window of this size: clicks at positions, typed answers, keys of
# choices, and a file that is chosen when a click opens the browser's chooser. A wrong answer comes before the right
# one.
STEPS = {
    "point": [("click", 562, 621)],
    "same_number": [("click", 731, 610), ("click", 795, 610), ("key", "3"), ("key", "2")],
    "formula": [("click", 201, 416), ("click", 184, 448), ("click", 79, 416), ("click", 52, 481), ("click", *FIELD), ("type", "9"), ("click", *FIELD), ("type", "11")],
    "tail": [("click", 1001, 610), ("click", 1065, 610), ("click", 1128, 610), ("key", "1"), ("key", "3")],
    "too_few": [("click", 1125, 433), ("click", 1227, 433), ("click", 1329, 433)],
    "grid": [("click", 144, 366), ("click", 112, 366)],
    "blocks": [("click", 80, 334), ("type", "4"), ("type", "24")],
    "fault": [("click", 195, 480), ("click", 480, 243)],
    "repair": [("click", 72, 516), ("click", 72, 590)],
    "photograph": [("click", 400, 200), ("click", 752, 372), ("key", "3"), ("key", "1")],
    "eye": [("click", 80, 328), ("type", "10"), ("type", "13")],
    "volume": [("click", 700, 198), ("click", 1209, 331), ("type", "32")],
    "own": [("choose", 287, 338)],
}
# Questions that are answered wrongly first.
WRONGLY = {"same_number/1", "same_number/2", "formula/2", "tail/1", "tail/2", "too_few/1", "photograph/1", "photograph/2"}


def steps_of_lesson():
    return re.findall(r"^## .*\{#(\w+)\}", LESSON.read_text(encoding="utf-8"), re.MULTILINE)


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
