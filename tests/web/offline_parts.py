"""The page without a network: once it was there, it begins again from what the browser keeps, whole, of one version; a newer
version on the server is there at the next load."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from browser import LONGEST_MS, begun, kept, serve, stop

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/webpage/folder.py"


def version(page):
    return page.evaluate("document.querySelector('script[data-plain-bytes]').src.split('/').at(-2)")


def wait_until_kept(page, wanted):
    """Until a service worker of this version holds all of its files."""
    page.wait_for_function(
        """async (version) => {
             const names = (await caches.keys()).filter((name) => name.endsWith(' ' + version));
             const active = (await navigator.serviceWorker.getRegistration())?.active;
             return active?.state === 'activated' && names.length === 1 && !!(await (await caches.open(names[0])).match('./'));
           }""", arg=wanted, timeout=LONGEST_MS)


def newer_version(folder):
    """The same program with another page: one more word in its title."""
    page, files = folder / "page", folder / "files"
    old = next(path for path in (folder / "dist").iterdir() if path.is_dir())
    shutil.copytree(TOOL.parents[2] / "app/host/web/page", page)
    text = (page / "index.html").read_text(encoding="utf-8")
    (page / "index.html").write_text(text.replace("<title>WarpLens</title>", "<title>WarpLens anew</title>"), encoding="utf-8")
    shutil.copytree(old, files)
    builds = [option for build in ("plain", "threads") for option in (f"--{build}", *sorted((files / build).iterdir()))]
    photos = sorted(files.glob("photos-*/*"))
    subprocess.run([sys.executable, "-B", TOOL, folder / "dist", "--page", page, *builds, "--files", files / "warplens.compiled", "--photos", *photos], check=True)


def works_offline(trial):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        shutil.copytree(trial.dist, folder / "dist")
        server, address = serve(folder / "dist")
        context = trial.browser.new_context()
        page = context.new_page()
        page.on("pageerror", lambda error: trial.failures.append(f"the page failed: {error}"))
        page.goto(address)
        begun(page)
        first = version(page)
        wait_until_kept(page, first)

        stop(server)
        page.reload()
        begun(page)
        page.wait_for_function("window.warplens.FS.analyzePath('/cache/warplens/compiled').exists", timeout=LONGEST_MS)
        trial.expect(version(page) == first, "without its server the page is of another version")
        trial.expect(kept(page, "window.json"), "without its server the page does not keep its settings")

        newer_version(folder)
        server, _ = serve(folder / "dist", int(address.rsplit(":", 1)[1].rstrip("/")))
        page.reload()
        begun(page)
        second = version(page)
        trial.expect(second != first and page.title() == "WarpLens anew",
                     "a newer version on the server is not there after loading the page again")
        wait_until_kept(page, second)
        page.wait_for_function("async (first) => !(await caches.keys()).some((name) => name.endsWith(first))", arg=first)

        # A folder that is not whole is not kept: the version before stays whole.
        damaged = folder / "dist" / second / "keys.js"
        third = folder / "dist" / "offline.js"
        third.write_text(third.read_text(encoding="utf-8").replace(f'"{second}";', '"damaged";'), encoding="utf-8")
        damaged.write_text("// half of it")
        refused = page.evaluate("""async () => {
            const registration = await navigator.serviceWorker.getRegistration();
            await registration.update().catch(() => {});
            const worker = registration.installing;
            if (worker) await new Promise((done) => worker.addEventListener('statechange', done, {once: true}));
            return worker?.state === 'redundant' && !(await caches.keys()).some((name) => name.endsWith('damaged'));
        }""")
        trial.expect(refused, "a folder whose files are not those of its version is kept")
        stop(server)
        page.reload()
        begun(page)
        found = version(page)
        trial.expect(found == second, f"after a damaged update there is {found}, and not the version before, {second}; the one before that was {first}; "
                                      f"kept are {page.evaluate('caches.keys()')}")
        print("without a network the page begins again; a newer version replaces it, a damaged one does not")
        context.close()
