"""Writes what tools/web --write measured into docs/web.md: sizes and times of the page, and the table of what is the same as
natively.

    figures.py BUILD PAGE_OF_DOCS          BUILD has counts.json (compare.py) and page.json (page_test.py)
"""
import json
import pathlib
import re
import sys

TIMED = ["grayscale", "matmul_tiled", "mandelbrot"]


def table(head, rows):
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *(f"| {' | '.join(row)} |" for row in rows)])


def size(numbers):
    size, packed = numbers
    return f"{size / 1e6:.2f} MB, {packed / 1e6:.2f} MB packed" if size >= 1e6 else f"{size / 1e3:.0f} kB, {packed / 1e3:.0f} kB packed"


def spread(of):
    return f"{of['median']:.0f} ms at the median, {of['most_of_90']:.0f} ms at the 90th percentile, the longest of {of['count']} {of['longest']:.0f} ms"


def of_page(page):
    sizes = page["sizes"]
    program = sizes["warplens.wasm"]
    late = sizes["warplens.compiled"]
    scripts = [sum(numbers[i] for name, numbers in sizes.items() if name.endswith((".js", ".html"))) for i in (0, 1)]
    photos = sum(numbers[0] for name, numbers in sizes.items() if name.endswith((".png", ".jpg")))
    rows = [["`warplens.wasm`", size(program)],
            ["`warplens.js` and the page's own files", size(scripts)],
            ["to the first picture in all", f"{(program[1] + scripts[1]) / 1e6:.2f} MB packed"],
            ["`warplens.compiled` and photographs, after the first picture", f"{(late[0] + photos) / 1e6:.2f} MB"],
            ["first picture, from the first request, the median of three", f"{page['first_picture_s']:.1f} s"],
            ["a long run: pieces of work between two frames", spread(page["pieces"])],
            ["a long run: whole frames, drawing and work", spread(page["frames"])]]
    return f"In {page['browser']}, at a load of {page['load']:.1f} on {page['cores']} cores.\n\n" + table(["", ""], rows)


def of_times(counts):
    rows = [[f"`{row['name']}`", f"{row['native_ms']:.1f} ms", f"{row['web_ms']:.1f} ms", f"{row['web_ms'] / row['native_ms']:.2f}"]
            for row in counts if row["name"] in TIMED]
    return table(["kernel", "native", "WebAssembly", "ratio"], rows)


def of_counts(counts):
    rows = [[row["name"], f"{row['warp_instructions']:,}", f"{row['bytes']:,}", "no: " + ", ".join(row["differs"]) if row["differs"] else "yes"]
            for row in counts]
    return table(["", "warp instructions", "bytes of outputs", "the same"], rows)


def with_figures(text, name, figures):
    begin, end = f"<!-- tools/web --write, {name}: from here -->", f"<!-- {name}: to here -->"
    found = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if len(found.findall(text)) != 1:
        raise SystemExit(f"figures: the page has no place for {name}: a line {begin} and a line {end}")
    return found.sub(lambda _: f"{begin}\n{figures}\n{end}", text)


def main():
    build, docs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    counts = json.loads((build / "counts.json").read_text())
    page = json.loads((build / "page.json").read_text())
    text = docs.read_text(encoding="utf-8")
    for name, figures in (("page", of_page(page)), ("times", of_times(counts)), ("counts", of_counts(counts))):
        text = with_figures(text, name, figures)
    docs.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
