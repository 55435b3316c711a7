"""What people bring and take: a challenge judged by chosen answers and handed in, files that are chosen, dropped and
downloaded, a folder of hand-ins."""
import json
import pathlib
import tempfile

from browser import begun, click, command, kept, link_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHALLENGE = "bounds_check"
JUDGE, HAND_IN, SAVE_AS_A_PAGE = (273, 788), (190, 788), (392, 129)
# Of the buttons of the versions, with the panel scrolled to its end: the middles of three columns and four rows.
VERSIONS = [(x, y) for y in (412, 444, 476, 508) for x in (64, 160, 256)]
OWN_KERNEL = """.version 7.8
.target sm_80
.address_size 64
.visible .entry of_a_file(.param .u64 out)
{
  .reg .b64 %a;
  .reg .b32 %t;
  ld.param.u64 %a, [out];
  mov.u32 %t, %tid.x;
  mad.wide.u32 %a, %t, 4, %a;
  st.global.u32 [%a], %t;
  ret;
}
"""


def judged(page):
    """What the progress says of the challenge, once the judge has answered."""
    return (kept(page, "progress.json") or {}).get("challenges", {}).get(CHALLENGE, {})


def judge(page):
    tries = judged(page).get("tries", 0)
    click(page, *JUDGE)
    for _ in range(60):
        page.wait_for_timeout(500)
        if judged(page).get("tries", 0) > tries:
            return judged(page)
    return judged(page)


def challenge_is_judged(trial):
    page = trial.open()
    command(page, "challenge: mind the end")
    page.wait_for_timeout(4000)
    first = judge(page)
    trial.expect(first.get("tries") == 1 and not first.get("stars"), f"the starter is judged as {first}")
    page.screenshot(path=trial.shots / "challenge_rejected.png")
    tried = 0
    for version in VERSIONS:
        page.mouse.move(170, 500)
        page.mouse.wheel(0, 3000)
        page.wait_for_timeout(1000)
        click(page, *version)
        page.wait_for_timeout(1000)
        tried += 1
        if judge(page).get("stars"):
            break
    page.screenshot(path=trial.shots / "challenge_right.png")
    found = judged(page)
    trial.expect(found.get("stars"), f"none of {tried} versions is right: {found}")
    with page.expect_download() as handed:
        click(page, *HAND_IN)
    hand_in = json.loads(pathlib.Path(handed.value.path()).read_text(encoding="utf-8"))
    trial.expect(hand_in.get("challenge") == CHALLENGE and hand_in.get("stars") == found.get("stars"), f"handed in is {hand_in}")
    print(f"a challenge is judged by chosen answers: the starter is rejected, version {tried} is right, and handed in")
    page.close()
    return hand_in


def drop(page, name, text):
    page.evaluate("""([name, text]) => {
        const data = new DataTransfer();
        data.items.add(new File([text], name));
        document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
    }""", [name, text])
    page.wait_for_timeout(3000)


def files_come_and_go(trial):
    page = trial.open()
    drop(page, "of_a_file.ptx", OWN_KERNEL)
    state = link_of(page)[1]
    trial.expect("of_a_file" in json.dumps(state), f"a kernel that is dropped does not open: {state}")
    page.reload()
    begun(page)
    page.screenshot(path=trial.shots / "dropped_and_reloaded.png")
    trial.expect("of_a_file" in json.dumps(link_of(page)[1]), "a kernel that was dropped is gone after loading the page again")
    with page.expect_download() as saved:
        command(page, "save session")
    trial.expect("warplens_session" in pathlib.Path(saved.value.path()).read_text(encoding="utf-8"), "a saved session is none")
    print("a dropped kernel opens and stays; a session is downloaded")
    page.close()


def hand_in_of(name):
    return {"warplens_hand_in": 1, "challenge": "", "language": "", "source": "", "name": name, "stars": 0, "seconds_spent": 0,
            "session": {}, "checksum": "",
            "progress": {"warplens_progress": 1, "lessons": {"who_am_i": ["point"]}, "challenges": {}, "lesson_seconds": {"who_am_i": 60}, "answers": {},
                         "predictions": {"made": 0, "right": 0, "numbers": 0, "doublings": 0}}}


def class_is_read(trial):
    page = trial.open()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "class_of_a_test"
        for name in ("ada", "grace"):
            (folder / name).mkdir(parents=True)
            (folder / name / "hand_in.json").write_text(json.dumps(hand_in_of(name)))
        with page.expect_file_chooser() as chooser:
            command(page, "open a class")
        chooser.value.set_files(folder)
        page.wait_for_timeout(4000)
    page.screenshot(path=trial.shots / "class.png")
    there = page.evaluate("window.warplens.FS.readdir('/uploads').join() + ' ' + (window.warplens.FS.analyzePath('/kept/uploads').exists "
                          "? window.warplens.FS.readdir('/kept/uploads').join() : '')")
    trial.expect("class_of_a_test" in there.split(" ")[0] and "class_of_a_test" not in there.split(" ")[1], f"hand-ins are in {there}")
    with page.expect_download() as saved:
        click(page, *SAVE_AS_A_PAGE)
    table = pathlib.Path(saved.value.path()).read_text(encoding="utf-8")
    trial.expect("2 students" in table and "Who am I?" in table, f"the page of the class is {table[:500]}")
    print("a folder of hand-ins is read, and not kept")
    page.close()
