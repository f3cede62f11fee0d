"""Functions of integers in machine code do what they do in Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from rulekit.probability import native
from rulekit.probability.integers import WORD, Memory, high, less, note
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
