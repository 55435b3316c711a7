"""What people bring and take: a challenge judged by chosen answers and handed in, files that are chosen, dropped and
downloaded, a folder of hand-ins."""
import base64
import json
import pathlib
import tempfile

from browser import DESKTOP, begun, click, command, kept, link_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHALLENGE = "bounds_check"
JUDGE, HAND_IN, SAVE_AS_A_PAGE = (273, 788), (190, 788), (392, 129)
SAVE_PICTURE, SAVE_IT, COPY_PICTURE = (767, 104), (810, 139), (901, 139)
LEAST_PICTURE_BYTES = 10_000
# Of the buttons of the versions, over the code: their middles, ten in the first row and two in the second.
VERSIONS = [(450 + 96 * i, 159) for i in range(10)] + [(450, 191), (545, 191)]
ONE_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="  # PNG
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


def drop(page, files):
    """Files by name, all at once."""
    page.evaluate("""(files) => {
        const data = new DataTransfer();
        for (const [name, bytes] of files) data.items.add(new File([new Uint8Array(bytes)], name));
        document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
    }""", [[name, list(content)] for name, content in files.items()])
    page.wait_for_timeout(3000)


def kept_session(page):
    """What the page would begin with."""
    names = page.evaluate("window.warplens.FS.readdir('/kept/warplens')")
    return next((kept(page, name) for name in names if name.startswith("drafts-") and name.endswith(".json")), None)


def several_files(trial):
    page = trial.open()
    picture = base64.b64decode(ONE_PIXEL)
    drop(page, {"notes.xyz": b"nothing that opens", "pixel.png": picture, "of_a_file.ptx": OWN_KERNEL.encode(), "another.ptx": OWN_KERNEL.encode()})
    page.screenshot(path=trial.shots / "several_dropped.png")
    state = json.dumps(link_of(page)[1])
    trial.expect("of_a_file" in state and "another" not in state, f"of several files that are dropped, the kernel does not open: {state}")
    page.wait_for_timeout(3000)
    session = json.dumps(kept_session(page))
    trial.expect("pixel.png" in session, f"of several files that are dropped, the picture is not there: {session}")
    with tempfile.TemporaryDirectory() as scratch:
        paths = [pathlib.Path(scratch) / name for name in ("chosen.ptx", "notes.xyz")]
        for path in paths:
            path.write_text(OWN_KERNEL)
        with page.expect_file_chooser() as chooser:
            command(page, "open kernel")
        trial.expect(chooser.value.is_multiple(), "the chooser offers one file only")
        chooser.value.set_files(paths)
        page.wait_for_timeout(3000)
    trial.expect("chosen" in json.dumps(link_of(page)[1]), "of several files that are chosen, the kernel does not open")
    print("of several files that are dropped or chosen, a kernel and a picture open")
    page.close()


def files_come_and_go(trial):
    page = trial.open()
    drop(page, {"of_a_file.ptx": OWN_KERNEL.encode()})
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


def copied_picture(page):
    """The picture on the clipboard: its first bytes and its size. Nothing if there is none."""
    return page.evaluate("""async () => {
        const items = await navigator.clipboard.read();
        const item = items.find((one) => one.types.includes("image/png"));
        if (!item) return null;
        const bytes = new Uint8Array(await (await item.getType("image/png")).arrayBuffer());
        return [String.fromCharCode(...bytes.slice(1, 4)), bytes.length];
    }""")


def picture_goes_out(trial):
    """A picture is downloaded, or goes to the clipboard. If a browser cannot do that, a sentence says so, and nothing is
    downloaded."""
    context = trial.browser.new_context(viewport=DESKTOP)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.on("pageerror", lambda error: trial.failures.append(f"the page failed: {error}"))
    page.goto(trial.address)
    begun(page)
    click(page, *SAVE_PICTURE)
    page.screenshot(path=trial.shots / "save_popup.png")
    click(page, *COPY_PICTURE)
    page.wait_for_timeout(2000)
    page.screenshot(path=trial.shots / "picture_copied.png")
    copied = copied_picture(page)
    trial.expect(copied is not None and copied[0] == "PNG" and copied[1] > LEAST_PICTURE_BYTES, f"on the clipboard is {copied}")
    click(page, *SAVE_PICTURE)
    with page.expect_download() as saved:
        click(page, *SAVE_IT)
    path = pathlib.Path(saved.value.path())
    saved_bytes = path.read_bytes()
    (trial.shots / "saved_picture.png").write_bytes(saved_bytes)
    trial.expect(saved.value.suggested_filename == "image.png" and saved_bytes[1:4] == b"PNG" and len(saved_bytes) > LEAST_PICTURE_BYTES,
                 f"a picture is saved as {saved.value.suggested_filename}, {len(saved_bytes)} bytes")
    page.screenshot(path=trial.shots / "picture_saved.png")
    page.keyboard.press("Escape")
    page.evaluate("delete window.ClipboardItem")
    downloads = []
    page.on("download", lambda download: downloads.append(download))
    click(page, *SAVE_PICTURE)
    before = page.screenshot()
    click(page, *COPY_PICTURE)
    page.wait_for_timeout(1000)
    trial.expect(page.screenshot(path=trial.shots / "picture_not_copied.png") != before and not downloads, "a browser that copies no pictures is not told")
    print(f"a picture is copied, and one of {len(saved_bytes)} bytes is downloaded")
    context.close()


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
