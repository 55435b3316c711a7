"""Forms in which the lanes of a warp work together: shuffles, votes, matches, reductions, elections, and reductions
over a block's barrier. What a lane gets depends on the others, so these files are only run as they were recorded."""
import random

ALONE = ["variants alone"]
FULL = 0xffffffff
# Clamp in bits 0 to 4, segment mask in bits 8 to 12; the last ones have bits where none are looked at, and segments
# that no compiler asks for.
CLAMPS = [0x1f, 0x00, 0x1f1f, 0x1807, 0x1800, 0x1e01, 0x1c03, 0x100f, 0x0a15, 0x1503, 0xffffffff, 0xffffe0e0]
DISTANCES = [0, 1, 2, 5, 8, 16, 31, 32, 33, 63, 255, 0x80000001]
MASKS = [FULL, 0x0000ffff, 0xffff0000, 0x00000001, 0x80000000, 0x55555555, 0x0ff0a5a6, 0x7ffffffe]


def values(rng, few=0):
    return [rng.randrange(few) if few else rng.getrandbits(32) for _ in range(32)]


def tiles(size):
    return [((1 << size) - 1) << lane // size * size & FULL for lane in range(32)]


def groups(rng, count):
    """Each lane in one of some groups, whose mask it names."""
    of = [rng.randrange(count) for _ in range(32)]
    return [sum(1 << k for k in range(32) if of[k] == of[lane]) for lane in range(32)]


def lanes_of_mask(body):
    """Only the lanes of the mask %x3 take part."""
    return ["and.b32 %u, %thread, 31;", "shr.u32 %u, %x3, %u;", "and.b32 %u, %u, 1;", "setp.eq.u32 %c, %u, 0;", "@%c bra SKIP;",
            *body, "SKIP:"]


def arms(body, other):
    """The lanes of %x3 in one arm, the others in the other."""
    return ["and.b32 %u, %thread, 31;", "shr.u32 %u, %x3, %u;", "and.b32 %u, %u, 1;", "setp.eq.u32 %c, %u, 0;", "@%c bra OTHER;",
            *body, "bra.uni DONE;", "OTHER:", *other, "DONE:"]


def shuffles(add):
    ins, outs = ["b32"] * 4, ["b32"] * 2
    for mode in ("up", "down", "bfly", "idx"):
        rng = random.Random(mode)
        op = f"shfl.sync.{mode}.b32"
        end = ["selp.u32 %y1, 1, 0, %p;"]
        plain = [f"{op} %y0|%p, %x0, %x1, %x2, %x3;"] + end
        rows = []
        for i, clamp in enumerate(CLAMPS):
            a, distance = values(rng), DISTANCES[(5 * i + 1) % len(DISTANCES)]
            rows += [(a[lane], distance if i % 3 else rng.getrandbits(5) if i % 2 else lane * 7, clamp, FULL) for lane in range(32)]
        for _ in range(4):
            rows += [(rng.getrandbits(32), rng.choice(DISTANCES), rng.choice(CLAMPS), FULL) for _ in range(32)]
        add("shfl", f"{mode}.b32", ins, outs, plain, rows, notes=ALONE)
        rows = []
        for size in (1, 2, 4, 8, 16):
            mask, a = tiles(size), values(rng)
            rows += [(a[lane], lane * 3 + 1, (32 - size) << 8 | (0 if mode == "up" else size - 1), mask[lane]) for lane in range(32)]
        add("shfl", f"{mode}.tiles.b32", ins, outs, plain, rows, notes=ALONE)
        rows = []
        for mask in MASKS[1:]:
            a = values(rng)
            rows += [(a[lane], rng.choice([1, 2, 8, 16, lane ^ 5]), rng.choice([0x1f, 0, 0x1807]), mask) for lane in range(32)]
        add("shfl", f"{mode}.some.b32", ins, outs, lanes_of_mask(plain), rows, notes=ALONE)
        rows = []
        for mask in MASKS[1:]:
            a = values(rng)
            rows += [(a[lane], rng.choice([1, 2, 8, 16]), rng.choice([0x1f, 0, 0x1807]), mask) for lane in range(32)]
        add("shfl", f"{mode}.arms.b32", ins, outs,
            arms([f"{op} %y0|%p, %x0, %x1, %x2, -1;"] + end,
                 ["not.b32 %t, %x0;", f"{op} %w|%q, %t, 1, 31, -1;", "add.u32 %y0, %w, 1;", "selp.u32 %y1, 3, 2, %q;"]), rows, notes=ALONE)
    constants = [("up", 1, 0), ("up", 2, 0x1800), ("down", 16, 0x1f), ("down", 3, 0x1807), ("bfly", 1, 0x1f), ("bfly", 0x10, 0x1f),
                 ("idx", 0, 0x1f), ("idx", 3, 0x1c03)]
    add("shfl", "constants.b32", ["b32"], ["b32"] * 8,
        [f"shfl.sync.{m}.b32 %y{i}, %x0, {b}, {c}, -1;" for i, (m, b, c) in enumerate(constants)],
        [(v,) for v in values(random.Random(8))], notes=ALONE)


def votes(add):
    rng = random.Random(20)
    ins, outs = ["b32", "b32", "b32", "b32"], ["b32"] * 4
    head = ["setp.ne.u32 %q, %x0, 0;"]

    def body(mask, y="%y", not_=""):
        lines = []
        for i, kind in enumerate(("all", "any", "uni")):
            lines += [f"vote.sync.{kind}.pred %p, {not_}%q, {mask};", f"selp.u32 {y}{i}, 1, 0, %p;"]
        return lines + [f"vote.sync.ballot.b32 {y}3, {not_}%q, {mask};"]

    def rows(masks):
        result = []
        for i, mask in enumerate(masks):
            a = [[0] * 32, [1] * 32, values(rng, 2)][i % 3]
            result += [(a[lane], 0, 0, mask[lane] if isinstance(mask, list) else mask) for lane in range(32)]
        return result
    for not_ in ("", "!"):
        name = "not." if not_ else ""
        add("vote", f"{name}full", ins, outs, head + body("%x3", not_=not_), rows([FULL] * 6), notes=ALONE)
    add("vote", "some", ins, outs, head + lanes_of_mask(body("%x3")), rows(MASKS * 3), notes=ALONE)
    add("vote", "groups", ins, outs, head + body("%x3"), rows([tiles(8), tiles(1), tiles(4)] + [groups(rng, n) for n in (2, 3, 5) * 2]), notes=ALONE)
    add("vote", "arms", ins, outs, head + arms(body("-1"), ["not.pred %q, %q;"] + body("0xffffffff")), rows(MASKS[1:] * 2), notes=ALONE)
    add("activemask", "b32", ins, ["b32"], lanes_of_mask(["activemask.b32 %y0;"]), rows(MASKS), notes=ALONE)
    add("elect", "some", ins, ["b32"] * 2, lanes_of_mask(["elect.sync %y0|%p, %x3;", "selp.u32 %y1, 1, 0, %p;"]), rows(MASKS), notes=ALONE)


def matches(add):
    rng = random.Random(21)
    for t in ("b32", "b64"):
        ins = [t, "b32", "b32", "b32"]
        high = rng.getrandbits(32) << 32 if t == "b64" else 0

        def rows(masks):
            result = []
            for i, mask in enumerate(masks):
                few = (1, 3, 5, 32)[i % 4]
                a = [v * (0x100000001 if t == "b64" else 1) ^ high for v in values(rng, few)]
                if few == 3 and t == "b64":
                    a = [v ^ rng.getrandbits(1) << 63 for v in a]
                result += [(a[lane], 0, 0, mask[lane] if isinstance(mask, list) else mask) for lane in range(32)]
            return result
        anybody = [f"match.any.sync.{t} %y0, %x0, %x3;"]
        allbody = [f"match.all.sync.{t} %y1|%p, %x0, %x3;", "selp.u32 %y2, 1, 0, %p;"]
        add("match", f"full.{t}", ins, ["b32"] * 3, anybody + allbody, rows([FULL] * 8), notes=ALONE)
        add("match", f"some.{t}", ins, ["b32"] * 3, lanes_of_mask(anybody + allbody), rows(MASKS * 2), notes=ALONE)
        add("match", f"groups.{t}", ins, ["b32"] * 3, anybody + allbody, rows([tiles(8), tiles(1), tiles(4)] + [groups(rng, n) for n in (2, 3, 5)]), notes=ALONE)


def reductions(add):
    rng = random.Random(22)
    ops = ["add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32"]

    def rows(masks):
        result = []
        for mask in masks:
            a = [rng.choice([rng.getrandbits(32), rng.getrandbits(8), FULL - rng.getrandbits(8), 0x80000000, 0x7fffffff]) for _ in range(32)]
            result += [(a[lane], 0, 0, mask[lane] if isinstance(mask, list) else mask) for lane in range(32)]
        return result
    body = [f"redux.sync.{op} %y{i}, %x0, %x3;" for i, op in enumerate(ops)]
    add("redux", "full", ["b32"] * 4, ["b32"] * 9, body, rows([FULL] * 3), notes=ALONE)
    add("redux", "some", ["b32"] * 4, ["b32"] * 9, lanes_of_mask(body), rows(MASKS), notes=ALONE)
    add("redux", "groups", ["b32"] * 4, ["b32"] * 9, body, rows([tiles(8), tiles(2), groups(rng, 3)]), notes=ALONE)


def barriers(add):
    rng = random.Random(23)
    outs = ["b32"] * 3
    head = ["setp.ne.u32 %q, %x0, 0;"]

    def body(number, count=""):
        return [f"bar.red.popc.u32 %y0, {number}{count}, %q;", f"bar.red.and.pred %p, {number}{count}, %q;", "selp.u32 %y1, 1, 0, %p;",
                f"bar.red.or.pred %p, {number}{count}, %q;", "selp.u32 %y2, 1, 0, %p;"]
    sizes = [96, 72, 33, 1]
    for size in sizes:
        add("bar", f"red.{size}", ["b32"], outs, head + body(0) + ["not.pred %q, %q;", "bar.red.popc.u32 %t, 3, %q;", "mad.lo.u32 %y0, %t, 1000, %y0;"],
            [(rng.randrange(2),) for _ in range(size)], notes=ALONE)
    add("bar", "red.all", ["b32"], outs, head + body(0), [(1,)] * 72, notes=ALONE)
    add("bar", "red.none", ["b32"], outs, head + body(0), [(0,)] * 72, notes=ALONE)
    # Pairs of warps at barriers of their own.
    pairs = ["shr.u32 %u, %thread, 6;", "add.u32 %u, %u, 4;", "mov.u32 %w, 64;"]
    add("bar", "red.pairs", ["b32"], outs, head + pairs + body("%u", ", %w"), [(rng.randrange(2),) for _ in range(256)], notes=ALONE)
    # Threads whose %x1 is not 0 leave before: single lanes, and whole warps.
    leave = ["setp.ne.u32 %c, %x1, 0;", "@%c bra GONE;"]
    stay = ["bra.uni STAY;", "GONE:", "exit;", "STAY:"]
    for name, gone in (("lanes", lambda t: t % 5 == 0), ("warps", lambda t: 32 <= t < 64), ("most", lambda t: t != 40)):
        add("bar", f"red.exited_{name}", ["b32", "b32"], outs, head + leave + stay + body(0), [(rng.randrange(2), int(gone(t))) for t in range(96)], notes=ALONE)
        add("bar", f"red.exited_{name}.all", ["b32", "b32"], outs, head + leave + stay + body(0), [(1, int(gone(t))) for t in range(96)], notes=ALONE)


def forms(add):
    shuffles(add)
    votes(add)
    matches(add)
    reductions(add)
    barriers(add)
