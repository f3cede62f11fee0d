"""Functions of integers in machine code do what they do in Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from rulekit.probability import native
from rulekit.probability.integers import (
    LANES,
    WORD,
    Memory,
    bits_in,
    high,
    lane,
    lane_numbers,
    lanes_at,
    largest,
    less,
    note,
    put_lanes,
    some,
    spread,
    with_lane,
)
from rulekit.probability.packing import pack
from rulekit.probability.playing import SWITCH, Compiled, Vectors, machine_code, player
from tests.conftest import unavailable
from tests.work_items import WORK

LIMIT = 10


def power(base: int, times: int) -> int:
    """Multiply, and leave early."""
    result = 1
    for _ in range(times):
        if result > 1 << 40:
            break
        result = result * base & WORD
    return result


def both(a: int, b: int) -> tuple[int, int]:
    """Give two numbers back."""
    return a + b, a - b


def within(a: int, low: int, high_: int) -> bool:
    """Tell whether a number lies in a range."""
    return low <= a and (a <= high_ or high_ < 0) and not (a == LIMIT or a == 13)


def work(numbers: Memory, out: Memory, count: int) -> None:
    """Use everything that can be written."""
    at = 0
    for k in range(count - 1, -1, -1):
        x, y = numbers[2 * k], numbers[2 * k + 1]
        total, apart = both(x >> 3, y >> 3)
        out[at] = total ^ high(x, y)
        out[at + 1] = max(apart, -apart) // 7 + min(k, LIMIT) % 3
        out[at + 2] = 1 if less(x, y) else 0
        out[at + 3] = power(3, x & 63) | ~k & 15
        while x & 1 and x > 0:
            x >>= 1
            if x in (0, 1, 7):
                continue
            out[at + 3] += 1
        out[at + 4] = (x << 2 & WORD) if within(k, 2, -1) else -k
        out[at], out[at + 2] = out[at + 2], out[at]
        note(out, k)
        at += 5


def lane_work(numbers: Memory, out: Memory, count: int) -> None:
    """Use what works on each lane by itself; in Python there is one."""
    x, y, last = lanes_at(numbers, 0), lanes_at(numbers, LANES), spread(0)
    total, apart = both(x >> 3, y >> 3)
    for _ in range(count):
        x = x * 3 & WORD if x < y and not less(y, 5) else x
        last = max(last, x) + 1
    put_lanes(out, 0, total ^ min(apart, LIMIT))
    put_lanes(out, LANES, 1 if less(x, y) or x & 1 else bits_in(y))
    put_lanes(out, 2 * LANES, x // 7 + last)
    put_lanes(out, 3 * LANES, lanes_at(out, LANES) - x | count)


def all_lanes(numbers: Memory, out: Memory, count: int) -> None:
    """Use what makes something of all lanes."""
    x = lanes_at(numbers, 0)
    out[0], out[1] = largest(x), lane(x, count)
    out[2] = 1 if some(x - x) else 0
    if some(x):
        out[3] = 1
    put_lanes(out, 4, with_lane(x + lane_numbers(), count, 5))


def decided_by_lanes(numbers: Memory) -> None:
    """Decide what comes next by lanes, of which some may say one thing and some another."""
    x = lanes_at(numbers, 0)
    while x > 0:
        x -= 1


def other_work(numbers: Memory, out: Memory, count: int) -> None:
    """Do something else with the same parameters."""
    for k in range(count):
        out[k] = numbers[k]


def sliced(numbers: Memory, count: int) -> None:
    """Use what has no machine code."""
    numbers[:count] = [0] * count


@pytest.fixture(scope="module")
def compiled_work():
    if not machine_code():
        unavailable("there is no llvmlite, or RULEKIT_NUMBA=0 switches it off")
    return native.compiled([work])[0]


def test_machine_code_and_python_give_the_same(compiled_work):
    dice = random.Random(1)
    words = [dice.getrandbits(62) >> dice.randrange(60) for _ in range(400)]
    expected = [0] * 1000
    work(words, expected, 200)
    numbers, out = np.array(words, np.int64), np.zeros(1000, np.int64)

    compiled_work(numbers.ctypes.data, out.ctypes.data, 200)

    assert [each & WORD for each in expected] == [each & WORD for each in out.tolist()]


def test_each_lane_is_what_python_makes_of_it(compiled_work):
    dice = random.Random(2)
    words = [dice.getrandbits(60) >> dice.randrange(60) for _ in range(2 * LANES)]
    expected = [0] * 5 * LANES
    for k in range(LANES):
        mine = [0] * 5 * LANES
        lane_work(words[k:], mine, 20)
        expected[k::LANES] = mine[::LANES]
    numbers, out = np.array(words, np.int64), np.zeros(5 * LANES, np.int64)

    native.compiled([lane_work])[0](numbers.ctypes.data, out.ctypes.data, 20)

    assert [each & WORD for each in expected] == [each & WORD for each in out.tolist()]


def test_lanes_are_compared_and_taken_apart(compiled_work):
    numbers, out = np.arange(10, 10 + LANES), np.zeros(4 + LANES, np.int64)

    native.compiled([all_lanes])[0](numbers.ctypes.data, out.ctypes.data, 3)

    assert [9 + LANES, 13, 0, 1] == out[:4].tolist()
    assert [5 if k == 3 else 10 + 2 * k for k in range(LANES)] == out[4:].tolist()


@pytest.fixture
def own_cache(tmp_path, monkeypatch, compiled_work):
    import platformdirs

    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: tmp_path / "cache")
    return tmp_path / "cache"


def results(compiled):
    numbers, out = np.array(range(1, 41), np.int64), np.zeros(100, np.int64)
    compiled(numbers.ctypes.data, out.ctypes.data, 20)
    return out.tolist()


def test_machine_code_is_made_once_and_kept(own_cache, monkeypatch, compiled_work):
    import llvmlite.binding as llvm

    native.compiled([work])
    (kept,) = own_cache.iterdir()
    monkeypatch.setattr(llvm, "create_pass_builder", None)  # nothing can be compiled any more

    assert results(compiled_work) == results(native.compiled([work])[0])
    assert [kept] == list(own_cache.iterdir())


@pytest.mark.parametrize("harm", ["cut", "flipped", "of another version", "empty", "a folder"])
def test_kept_machine_code_that_is_not_whole_is_made_anew(own_cache, monkeypatch, compiled_work, harm):
    if harm == "of another version":
        monkeypatch.setattr(native, "VERSION", "rulekit machine code 0")
    native.compiled([work])
    monkeypatch.undo()
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: own_cache)
    (kept,) = own_cache.iterdir()
    data = kept.read_bytes()
    broken = {"cut": data[:-5], "flipped": data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], "empty": b""}
    kept.write_bytes(broken.get(harm, data))
    if harm == "a folder":
        kept.unlink()
        kept.mkdir()

    assert results(compiled_work) == results(native.compiled([work])[0])
    assert harm == "a folder" or broken.get(harm, b"") != kept.read_bytes() != b""
    assert harm != "of another version" or data != kept.read_bytes()


def test_machine_code_of_another_function_is_not_taken_for_it(own_cache, compiled_work):
    native.compiled([other_work])

    assert results(compiled_work) == results(native.compiled([work])[0])


def test_machine_code_is_made_where_nothing_can_be_kept(monkeypatch, tmp_path, compiled_work):
    (tmp_path / "a file").touch()
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "a file" / "cache")

    assert results(compiled_work) == results(native.compiled([work])[0])


def test_words_above_the_half_are_compared_and_multiplied_without_a_sign():
    a, b = 2**64 - 1, 2**63

    assert less(b, a)
    assert not less(a, b)
    assert 2**63 - 1 == high(a, b)


def test_what_has_no_machine_code_is_refused_with_its_words(compiled_work):
    with pytest.raises(NotImplementedError, match=r"sliced: '\[0\]' has no translation"):
        native.compiled([sliced])
    with pytest.raises(NotImplementedError, match="decided_by_lanes: 'x > 0' has no translation"):
        native.compiled([decided_by_lanes])


def test_a_memory_that_listens_is_told():
    class Listening(list[int]):
        told = ()

        def listen(self, *what):
            self.told += what

    memory = Listening([0] * 10)
    work([5, 6, 7, 8], memory, 2)

    assert (1, 0) == memory.told


def test_numpy_plays_where_machine_code_is_switched_off(monkeypatch):
    packed = pack(WORK["W1"])
    assert isinstance(player(packed), Compiled if machine_code() else Vectors)

    monkeypatch.setenv(SWITCH, "0")

    assert isinstance(player(packed), Vectors)
