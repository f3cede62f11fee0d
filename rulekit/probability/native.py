"""Functions of integers made into machine code, and kept.

It goes through llvmlite, the compiler that numba is built on. Numba itself needs several seconds for functions like
these, each time that its folder of compiled functions is empty, out of date or cannot be written; this needs a
fraction of one, and a tenth of that where the machine code of an earlier session is still kept.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from rulekit.cards import kept
from rulekit.probability.translation import Function, Unit

VERSION = "rulekit machine code 2"
"""Part of what a kept file must come from; how it is compiled is another version."""


def compiled(entries: Sequence[Function], apart: Iterable[Function] = ()) -> list[Function]:
    """Compile functions and the functions that they call.

    Args:
        entries: The functions that are called from outside; they return nothing.
        apart: Functions that are better not made part of those that call them: seldom called, or long.

    Returns:
        For each entry a function that takes addresses for the arrays and numbers for the integers, and lets other
        threads of Python run meanwhile.

    Raises:
        ImportError: If there is no llvmlite.
        NotImplementedError: If a function uses what is not listed above.
    """
    import llvmlite.binding as llvm

    unit = Unit(frozenset(apart))
    made = [unit.function(entry, "external") for entry in entries]
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu = (llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    machine = llvm.Target.from_default_triple().create_target_machine(*cpu, opt=3, jit=True)
    code = _object_code(str(unit.ir), machine, (*cpu, llvm.get_process_triple(), str(llvm.llvm_version_info)))
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _ENGINES.append(engine)
    calls: list[Function] = []
    for function in made:
        kinds = [ctypes.c_void_p if each.type == unit.memory else ctypes.c_uint64 for each in function.args]
        calls.append(ctypes.CFUNCTYPE(None, *kinds)(engine.get_function_address(function.name)))
    return calls


def _object_code(source: str, machine: Any, target: tuple[str, ...]) -> bytes:
    """Return the machine code of functions in LLVM's language: the one kept for this very source and target, if any."""
    import llvmlite.binding as llvm

    name = "machine-code-" + _digest(" ".join(target).encode())[:16]
    origin = _digest(" ".join((VERSION, *target, source)).encode()).encode()
    data = kept.read(name) or b""
    said, code = data[: len(origin)], data[2 * len(origin) :]
    if said == origin and data[len(origin) : 2 * len(origin)] == _digest(code).encode():
        return code
    parsed = llvm.parse_assembly(source)
    parsed.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.loop_unrolling = False  # all loops are short
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(parsed, passes)
    code = bytes(machine.emit_object(parsed))
    kept.write(name, origin + _digest(code).encode() + code)
    return code


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=32).hexdigest()


_ENGINES: list[Any] = []  # they own the code that the returned functions run
