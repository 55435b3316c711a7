"""Makes the polynomials by which curand_kernel.h jumps ahead in XORWOW, and holds the file that has them against them.

  xorwow_jumps_test.py            fails where assets/cuda/random/xorwow_jumps.h is not what is made here
  xorwow_jumps_test.py --write    writes it
"""
import pathlib
import random
import sys

PATH = pathlib.Path(__file__).resolve().parents[2] / "assets" / "cuda" / "random" / "xorwow_jumps.h"
BITS = 160
SEQUENCE = 67  # distance of sequences: 2^67 numbers
FIRST_STEP = 4  # fewer than 2^4 steps are done one by one
HEAD = """// x to the power of numbers of steps, modulo the characteristic polynomial of XORWOW's step: made and checked
// by tests/tools/xorwow_jumps_test.py. The coefficient of x^(5q + r) is bit 31 - q of word r.
#pragma once

// One row for each polynomial.
// clang-format off
namespace warplens_random {
"""


def step(words):
    t = words[0] ^ words[0] >> 2
    return (*words[1:], (words[4] ^ words[4] << 4 ^ t ^ t << 1) & 0xffffffff)


def characteristic():
    """The recurrence of one bit of the words, which all bits share (Berlekamp 1968, Massey 1969), as bits of a number."""
    words, sequence = (1, 2, 3, 4, 5), []
    for _ in range(2 * BITS):
        sequence.append(words[0] & 1)
        words = step(words)
    connection, before, length, since = 1, 1, 0, 1
    for n in range(2 * BITS):
        wrong = sum(sequence[n - i] for i in range(length + 1) if connection >> i & 1) & 1
        if not wrong:
            since += 1
            continue
        kept = connection
        connection ^= before << since
        if 2 * length <= n:
            length, before, since = n + 1 - length, kept, 1
        else:
            since += 1
    assert length == BITS
    return int(f"{connection:0{BITS + 1}b}"[::-1], 2)


def product(one, other, modulus):
    made = 0
    while other:
        made ^= one if other & 1 else 0
        other >>= 1
        one <<= 1
        one ^= modulus if one >> BITS else 0
    return made


def apply(polynomial, words):
    """Slowly: the sum of the states after as many steps as each coefficient says."""
    made = (0,) * 5
    for power in range(BITS):
        if polynomial >> power & 1:
            made = tuple(a ^ b for a, b in zip(made, words))
        words = step(words)
    return made


def powers(modulus, count):
    """x^(2^0), x^(2^1) …"""
    all_of = [2]
    while len(all_of) < count:
        all_of.append(product(all_of[-1], all_of[-1], modulus))
    return all_of


def digits(power, modulus):
    """The 15 multiples of a jump that a digit of base 16 needs."""
    made = [power]
    while len(made) < 15:
        made.append(product(made[-1], power, modulus))
    return made


def row(polynomial):
    words = [sum((polynomial >> 5 * q + r & 1) << 31 - q for q in range(32)) for r in range(5)]
    return "    " + ", ".join(f"0x{word:08x}" for word in words) + ",\n"


def table(name, reason, polynomials):
    return (f"\n// {reason}\nstatic __device__ const unsigned int {name}[] = {{\n" + "".join(map(row, polynomials)) + "};\n")


def main():
    modulus = characteristic()
    squares = powers(modulus, BITS + 1)
    assert squares[BITS] == 2, "the step has not the period 2^160 - 1"
    words = start = tuple(random.Random(1).getrandbits(32) for _ in range(5))
    for n in range(1, 1025):
        words = step(words)
        if n & n - 1 == 0:
            assert apply(squares[n.bit_length() - 1], start) == words, f"x^{n} is not {n} steps"
    steps = squares[FIRST_STEP:64]
    sequences = [one for place in range(16) for one in digits(squares[SEQUENCE + 4 * place], modulus)]
    assert sequences[15] == squares[SEQUENCE + 4] and sequences[1] == squares[SEQUENCE + 1]
    text = (HEAD + table("xorwow_steps", "2^4, 2^5 … 2^63 steps.", steps)
            + table("xorwow_sequences", "1 to 15 sequences of 2^67 steps, 16 to 240 of them, and so on.", sequences)
            + "\n}  // namespace warplens_random\n")
    if "--write" in sys.argv:
        PATH.write_text(text, encoding="utf-8")
    assert PATH.read_text(encoding="utf-8") == text, f"{PATH.name} is another one: xorwow_jumps_test.py --write"
    print(f"{len(steps) + len(sequences)} polynomials are right")


if __name__ == "__main__":
    main()
