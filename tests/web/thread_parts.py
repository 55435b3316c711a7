"""The two builds of the program: a page that is isolated has threads, and a long run leaves it its frames; another one works
between its frames. Which of them it is decides before anything large is fetched, and the page never loads again and again."""
import pathlib
import shutil
import tempfile

from browser import LONGEST_MS, PLAIN, begun, command, serve, stop

# Of a piece of work or a frame with its drawing: half of them, and nine of ten. A frame is to take 50 ms at most; a machine
# that tests has other work too, which takes the processor from a piece in its midst.
MOST_MS_OF_HALF, MOST_MS_OF_NINE_OF_TEN = 50, 100
# How long each frame holds the page up, from its first call until the next task has its turn.
NOTE_FRAMES = """() => {
  const channel = new MessageChannel();
  let began = 0;
  window.frames_ms = [];
  channel.port1.onmessage = () => window.frames_ms.push(performance.now() - began);
  const each = () => { began = performance.now(); channel.port2.postMessage(0); requestAnimationFrame(each); };
  requestAnimationFrame(each);
}"""
# How many threads there are at most at a time, looked at often.
NOTE_THREADS = """() => {
  window.most_threads = 0;
  const look = () => { window.most_threads = Math.max(window.most_threads, window.warplens.PThread.runningWorkers.length); };
  setInterval(look, 2);
}"""
MOST_WORKERS = 19  # page.js: the first ones, those for other work, and one for each of eight cores
ISOLATED = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}


def builds_fetched(page):
    """The builds of which the page fetched anything."""
    names = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    return sorted({name.split("/")[-2] for name in names if name.endswith(("warplens.wasm", "warplens.js"))})


def spread(numbers):
    ordered = sorted(numbers)
    return {"count": len(ordered), "median": ordered[len(ordered) // 2], "most_of_90": ordered[len(ordered) * 9 // 10], "longest": ordered[-1]}


def run_and_measure(trial, page, name):
    page.evaluate(NOTE_FRAMES)
    page.keyboard.press("Control+Enter")
    page.wait_for_timeout(6000)
    judge_times(trial, name, page.evaluate("frames_ms"))


def judge_times(trial, name, numbers):
    found = trial.measured[name] = spread(numbers or [0])
    print(f"a long run, {name}: {found['count']}, {found['median']:.1f} ms at the median, {found['most_of_90']:.1f} ms at the 90th percentile, "
          f"the longest {found['longest']:.0f} ms")
    trial.expect(found["median"] <= MOST_MS_OF_HALF and found["most_of_90"] <= MOST_MS_OF_NINE_OF_TEN, f"{name} of a run are long: {found}")


def runs_in_slices(trial):
    """Without threads, none of the pieces of work of a long run is long."""
    page = trial.open(**PLAIN)
    trial.expect(builds_fetched(page) == ["plain"], f"a page without service workers fetched {builds_fetched(page)}")
    if page.evaluate("typeof WebAssembly.Suspending") != "function":
        print("this browser cannot stop a run in its midst")
        return page.close()
    command(page, "kernel: mandelbrot")
    page.wait_for_timeout(3000)
    page.evaluate("window.warplens.page.pieces = []")
    run_and_measure(trial, page, "frames")
    pieces = page.evaluate("window.warplens.page.pieces")
    trial.expect(len(pieces) >= 10, f"a long run was done in {len(pieces)} pieces")
    judge_times(trial, "pieces", pieces)
    page.close()


def runs_on_threads(trial):
    page = trial.open()
    trial.expect(page.evaluate("crossOriginIsolated"), "the page is not isolated by its service worker")
    trial.expect(builds_fetched(page) == ["threads"], f"an isolated page fetched {builds_fetched(page)}")
    workers = page.evaluate("window.warplens.PThread.runningWorkers.length + window.warplens.PThread.unusedWorkers.length")
    cores = page.evaluate("navigator.hardwareConcurrency")
    trial.expect(cores < workers <= MOST_WORKERS, f"on {cores} cores there are {workers} workers")
    command(page, "kernel: mandelbrot")
    page.wait_for_timeout(3000)
    resting = page.evaluate("window.warplens.PThread.runningWorkers.length")
    page.evaluate(NOTE_THREADS)
    run_and_measure(trial, page, "frames_with_threads")
    most = page.evaluate("most_threads")
    trial.expect(cores == 1 or most > resting, f"a long run is on no thread more than the {resting} that wait for work")
    after = page.evaluate("window.warplens.PThread.runningWorkers.length + window.warplens.PThread.unusedWorkers.length")
    trial.expect(after == workers, f"of {workers} workers there are {after} after a run")
    trial.measured["threads"] = {"cores": cores, "workers": workers}
    print(f"{workers} workers on {cores} cores; at rest {resting} threads, in a run {most}")
    page.close()


def loads(trial, address, **options):
    """How often a page loads until it is there, and whether it is isolated then."""
    context = trial.browser.new_context(**options)
    page = context.new_page()
    count = []
    page.on("framenavigated", lambda frame: count.append(frame.url))
    page.goto(address)
    begun(page)
    found = len(count), page.evaluate("crossOriginIsolated"), builds_fetched(page)
    page.reload()
    begun(page)
    again = len(count) - found[0]
    context.close()
    return *found, again


def loads_once_or_twice(trial):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "dist"
        shutil.copytree(trial.dist, folder)
        server, address = serve(folder, headers=ISOLATED)
        found = loads(trial, address, **PLAIN)
        trial.expect(found == (1, True, ["threads"], 1), f"of a server that isolates the page: loads, isolated, builds, loads again are {found}")
        stop(server)

        server, address = serve(folder)
        found = loads(trial, address)
        trial.expect(found == (2, True, ["threads"], 1), f"of a server of files: loads, isolated, builds, loads again are {found}")
        # A browser that receives no message of the service worker.
        keeper = folder / "offline.js"
        keeper.write_text(keeper.read_text(encoding="utf-8").replace("Object.entries(ISOLATED)", "[]"), encoding="utf-8")
        found = loads(trial, address)
        trial.expect(found == (2, False, ["plain"], 1), f"where isolating does not help: loads, isolated, builds, loads again are {found}")
        stop(server)
    print("a page loads once where its server isolates it, else twice, and not again")
