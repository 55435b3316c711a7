"""The files that programs of other people read, line by line, with random contents (public_programs.py)."""


def numbers(low, high):
    """A random number for each cell."""
    def lines(count, chance):
        return (f"{chance.uniform(low, high):.6f}" for _ in range(count))
    return lines


def graph(nodes, chance):
    """Rodinia's bfs: first edge and number of edges of each node, where to begin, and target and cost of each edge."""
    edges = [chance.randint(2, 10) for _ in range(nodes)]
    yield str(nodes)
    first = 0
    for count in edges:
        yield f"{first} {count}"
        first += count
    yield "0"
    yield str(first)
    for _ in range(first):
        yield f"{chance.randrange(nodes)} 1"


def mesh(cells, chance):
    """Rodinia's cfd: the area of each cell, and four times a neighbour (from 1) and the normal of the face to it."""
    yield str(cells)
    for _ in range(cells):
        faces = (f"{chance.randint(1, cells)} {' '.join(f'{chance.uniform(-0.1, 0.1):.6f}' for _ in range(3))}" for _ in range(4))
        yield f"{chance.uniform(0.5, 1.5):.6f} {' '.join(faces)}"


def picture(side, chance):
    """A PGM file in words, with a grey for each pixel."""
    yield from ("P2", f"{side} {side}", "255")
    for _ in range(side):
        yield " ".join(str(chance.randint(0, 255)) for _ in range(side))


INPUTS = {"temperatures": numbers(320, 345), "powers": numbers(0, 0.01), "graph": graph, "mesh": mesh, "picture": picture}
