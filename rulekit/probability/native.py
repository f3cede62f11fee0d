"""Functions of integers made into machine code: a small part of Python, translated for LLVM.

The same functions run as plain Python too, slower and with the same results; `kernel` is written so. What may stand in
them: parameters annotated `int` or `Memory` (an array of 64-bit integers), results annotated `int`, `bool`, `None` or a
tuple of `int`; assignments, `if`, `while`, `for` over `range`, `break`, `continue`, `return`; comparisons, `in` a
tuple, `and`, `or`, `not`, `+ - * // % << >> & | ^`, `min`, `max`, calls of one another, and the words below. Integers
have 64 bits: what grows larger is cut by `& WORD`, and what may be 2**63 or more is compared by `less`. `//`, `%` and
`>>` are for numbers of at least 0.

It goes through llvmlite, the compiler that numba is built on. Numba itself needs several seconds for functions like
these, each time that its folder of compiled functions is empty, out of date or cannot be written; this needs a
fraction of one, and a tenth of that where the machine code of an earlier session is still kept.
"""

from __future__ import annotations

import ast
import ctypes
import hashlib
import inspect
from collections.abc import Callable, Iterable, Mapping, MutableSequence, Sequence
from functools import singledispatchmethod
from typing import Any, NoReturn, TypeAlias, cast

from rulekit.cards import kept

Memory: TypeAlias = MutableSequence[int]
Function: TypeAlias = Callable[..., Any]
WORD = (1 << 64) - 1
VERSION = "rulekit machine code 1"
"""Part of what a kept file must come from; how it is compiled is another version."""


def high(a: int, b: int) -> int:
    """Return the upper 64 bits of the product of two numbers from 0 to 2**64 - 1."""
    return a * b >> 64


def less(a: int, b: int) -> bool:
    """Tell whether a is less than b, both from 0 to 2**64 - 1."""
    return a < b


def bits_in(word: int) -> int:
    """Count the bits of a word that are 1."""
    return word.bit_count()


def note(memory: Memory, *what: int) -> None:
    """Tell a memory that listens what happens; machine code leaves this out."""
    listen = getattr(memory, "listen", None)
    if listen is not None:
        listen(*what)


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

    unit = _Unit(frozenset(apart))
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
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    passes.getModulePassManager().run(parsed, passes)
    code = bytes(machine.emit_object(parsed))
    kept.write(name, origin + _digest(code).encode() + code)
    return code


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=32).hexdigest()


_ENGINES: list[Any] = []  # they own the code that the returned functions run


class _Unit:
    """Translate functions, each the first time that it is called."""

    def __init__(self, apart: frozenset[Function]) -> None:
        from llvmlite import ir

        self.types = ir
        self.apart = apart
        self.ir = ir.Module("rulekit")
        self.word, self.bit, self.memory = ir.IntType(64), ir.IntType(1), ir.PointerType(ir.IntType(64))
        self.functions: dict[Function, Any] = {}

    def function(self, given: Function, linkage: str = "internal") -> Any:
        """Return a function, translated."""
        if given not in self.functions:
            tree = cast("ast.FunctionDef", ast.parse(inspect.getsource(given)).body[0])
            kinds = [self.kind(each.annotation) for each in tree.args.args]
            made = self.types.Function(self.ir, self.types.FunctionType(self.kind(tree.returns), kinds), tree.name)
            for argument, each in zip(made.args, tree.args.args, strict=True):
                argument.name = each.arg
                if argument.type == self.memory:
                    argument.add_attribute("noalias")
            made.linkage = linkage
            if linkage == "internal":
                made.attributes.add("noinline" if given in self.apart else "alwaysinline")
            self.functions[given] = made
            _Body(self, made, tree, given.__globals__)
        return self.functions[given]

    def kind(self, annotation: ast.expr | None) -> Any:
        """Return the type that an annotation stands for."""
        if isinstance(annotation, ast.Subscript) and isinstance(annotation.slice, ast.Tuple):
            return self.types.LiteralStructType([self.word] * len(annotation.slice.elts))
        names = {"int": self.word, "bool": self.bit, "Memory": self.memory, "None": self.types.VoidType()}
        return names[ast.unparse(annotation) if annotation else "None"]


class _Body:
    """Translate the body of one function."""

    def __init__(self, unit: _Unit, made: Any, tree: ast.FunctionDef, known: Mapping[str, Any]) -> None:
        self.unit, self.made, self.types, self.known = unit, made, unit.types, known
        self.build = unit.types.IRBuilder(made.append_basic_block())
        self.places: dict[str, Any] = {}
        self.arrays = {each.name: each for each in made.args if each.type == unit.memory}
        self.loops: list[tuple[Any, Any]] = []
        names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        for name in dict.fromkeys([*(each.name for each in made.args if each.name not in self.arrays), *names]):
            self.places[name] = self.build.alloca(unit.word, name=name)
        for each in made.args:
            if each.name in self.places:
                self.build.store(each, self.places[each.name])
        self.block(tree.body)
        if not self.build.block.is_terminated:
            if made.ftype.return_type == unit.types.VoidType():
                self.build.ret_void()
            else:
                self.build.unreachable()

    def block(self, statements: list[ast.stmt]) -> None:
        """Translate statements up to the first behind which nothing can follow."""
        for statement in statements:
            if not self.build.block.is_terminated:
                self.statement(statement)

    def refuse(self, node: ast.AST) -> NoReturn:
        raise NotImplementedError(f"{self.made.name}: '{ast.unparse(node)}' has no translation into machine code.")

    # statements

    @singledispatchmethod
    def statement(self, node: ast.AST) -> None:
        """Translate a statement."""
        self.refuse(node)

    @statement.register
    def _expression(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and ast.unparse(node.value.func) != note.__name__:
            self.call(node.value)

    @statement.register
    def _return(self, node: ast.Return) -> None:
        if node.value is None:
            self.build.ret_void()
        elif isinstance(node.value, ast.Tuple):
            result = self.types.Constant(self.made.ftype.return_type, self.types.Undefined)
            for place, each in enumerate(node.value.elts):
                result = self.build.insert_value(result, self.value(each), place)
            self.build.ret(result)
        elif self.made.ftype.return_type == self.unit.bit:
            yes, no = self.made.append_basic_block(), self.made.append_basic_block()
            self.branch(node.value, yes, no)
            for block, answer in ((yes, 1), (no, 0)):
                self.build.position_at_end(block)
                self.build.ret(self.unit.bit(answer))
        else:
            self.build.ret(self.value(node.value))

    @statement.register
    def _assign(self, node: ast.Assign) -> None:
        (target,) = node.targets
        if not isinstance(target, ast.Tuple):
            self.store(target, self.value(node.value))
            return
        if isinstance(node.value, ast.Tuple):
            values = [self.value(each) for each in node.value.elts]
        else:
            both = self.value(node.value)
            values = [self.build.extract_value(both, place) for place in range(len(target.elts))]
        for each, value in zip(target.elts, values, strict=True):
            self.store(each, value)

    @statement.register
    def _change(self, node: ast.AugAssign) -> None:
        now = self.build.load(self.address(node.target), typ=self.unit.word)
        self.store(node.target, self.operate(node, node.op, now, self.value(node.value)))

    @statement.register
    def _if(self, node: ast.If) -> None:
        yes, no = self.made.append_basic_block(), self.made.append_basic_block()
        end = self.made.append_basic_block() if node.orelse else no
        self.branch(node.test, yes, no)
        for start, statements in ((yes, node.body), (no, node.orelse)):
            self.build.position_at_end(start)
            self.block(statements)
            if statements and not self.build.block.is_terminated:
                self.build.branch(end)
        self.build.position_at_end(end)

    @statement.register
    def _while(self, node: ast.While) -> None:
        test, body, end = (self.made.append_basic_block() for _ in range(3))
        self.build.branch(test)
        self.build.position_at_end(test)
        self.branch(node.test, body, end)
        self.loop(body, node.body, test, end)

    @statement.register
    def _for(self, node: ast.For) -> None:
        over = node.iter
        if not isinstance(over, ast.Call) or ast.unparse(over.func) != "range" or not isinstance(node.target, ast.Name):
            self.refuse(node)
        start, stop, step = [self.value(each) for each in over.args], self.unit.word(0), 1
        if len(over.args) == 3:
            step = ast.literal_eval(over.args[2])
        start, stop = (self.unit.word(0), start[0]) if len(start) == 1 else (start[0], start[1])
        counter = self.local()
        self.build.store(start, counter)
        test, body, following, end = (self.made.append_basic_block() for _ in range(4))
        self.build.branch(test)
        self.build.position_at_end(test)
        now = self.build.load(counter)
        self.build.cbranch(self.build.icmp_signed("<" if step > 0 else ">", now, stop), body, end)
        self.build.position_at_end(body)
        self.build.store(now, self.places[node.target.id])
        self.loop(body, node.body, following, end)
        self.build.position_at_end(following)
        self.build.store(self.build.add(self.build.load(counter), self.unit.word(step), flags=["nsw"]), counter)
        self.build.branch(test)
        self.build.position_at_end(end)

    def loop(self, body: Any, statements: list[ast.stmt], following: Any, end: Any) -> None:
        """Translate the body of a loop and go on behind it."""
        self.build.position_at_end(body)
        self.loops.append((following, end))
        self.block(statements)
        self.loops.pop()
        if not self.build.block.is_terminated:
            self.build.branch(following)
        self.build.position_at_end(end)

    @statement.register
    def _continue(self, _node: ast.Continue) -> None:
        self.build.branch(self.loops[-1][0])

    @statement.register
    def _break(self, _node: ast.Break) -> None:
        self.build.branch(self.loops[-1][1])

    # places

    def local(self) -> Any:
        """Make a place for one number at the beginning of the function."""
        with self.build.goto_entry_block():
            return self.build.alloca(self.unit.word)

    def address(self, node: ast.expr) -> Any:
        """Return where a variable or an element of an array is kept."""
        if isinstance(node, ast.Name) and node.id in self.places:
            return self.places[node.id]
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in self.arrays:
            return self.build.gep(
                self.arrays[node.value.id], [self.value(node.slice)], True, source_etype=self.unit.word
            )
        return self.refuse(node)

    def store(self, target: ast.expr, value: Any) -> None:
        self.build.store(value, self.address(target))

    # values

    def value(self, node: ast.expr) -> Any:
        """Translate an expression whose value is a number, or the numbers that a function returns."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return self.unit.word(node.value & WORD)
        if isinstance(node, ast.Name) and node.id not in self.places:
            number = self.known.get(node.id)
            if not isinstance(number, int):
                self.refuse(node)
            return self.unit.word(number & WORD)
        if isinstance(node, ast.Name | ast.Subscript):
            return self.build.load(self.address(node), typ=self.unit.word)
        if isinstance(node, ast.BinOp):
            return self.operate(node, node.op, self.value(node.left), self.value(node.right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return self.build.neg(self.value(node.operand))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            return self.build.not_(self.value(node.operand))
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.IfExp):
            return self.choose(node)
        return self.refuse(node)

    def operate(self, node: ast.AST, operator: ast.operator, left: Any, right: Any) -> Any:
        """Translate an operation on two numbers."""
        operations = {
            ast.Add: self.build.add, ast.Sub: self.build.sub, ast.Mult: self.build.mul, ast.FloorDiv: self.build.udiv,
            ast.Mod: self.build.urem, ast.LShift: self.build.shl, ast.RShift: self.build.lshr, ast.BitAnd:
            self.build.and_, ast.BitOr: self.build.or_, ast.BitXor: self.build.xor,
        }  # fmt: skip
        if type(operator) not in operations:
            self.refuse(node)
        return operations[type(operator)](left, right)

    def choose(self, node: ast.IfExp) -> Any:
        """Translate `a if test else b`."""
        if isinstance(node.body, ast.Name | ast.Constant) and isinstance(node.orelse, ast.Name | ast.Constant):
            return self.build.select(self.test(node.test), self.value(node.body), self.value(node.orelse))
        result = self.local()
        yes, no, end = (self.made.append_basic_block() for _ in range(3))
        self.branch(node.test, yes, no)
        for start, each in ((yes, node.body), (no, node.orelse)):
            self.build.position_at_end(start)
            self.build.store(self.value(each), result)
            self.build.branch(end)
        self.build.position_at_end(end)
        return self.build.load(result, typ=self.unit.word)

    def call(self, node: ast.Call) -> Any:
        """Translate a call."""
        name = ast.unparse(node.func)
        if name in ("min", "max", high.__name__, less.__name__):
            left, right = (self.value(each) for each in node.args)
            if name == less.__name__:
                return self.build.icmp_unsigned("<", left, right)
            if name == high.__name__:
                return self.high(left, right)
            return self.build.select(self.build.icmp_signed("<" if name == "min" else ">", left, right), left, right)
        if name == bits_in.__name__:
            return self.build.ctpop(self.value(node.args[0]))
        function = self.known.get(name)
        if not inspect.isfunction(function):
            self.refuse(node)
        arrays = [isinstance(each, ast.Name) and each.id in self.arrays for each in node.args]
        given = [
            self.arrays[ast.unparse(each)] if array else self.value(each)
            for each, array in zip(node.args, arrays, strict=True)
        ]
        return self.build.call(self.unit.function(function), given)

    def high(self, left: Any, right: Any) -> Any:
        """Multiply two words and give the upper half of the product."""
        wide = self.types.IntType(128)
        both = self.build.mul(self.build.zext(left, wide), self.build.zext(right, wide))
        return self.build.trunc(self.build.lshr(both, wide(64)), self.unit.word)

    # tests

    def test(self, node: ast.expr) -> Any:
        """Translate an expression that is true or false, and has no `and` or `or` in it."""
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
            return self.among(node)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            signs = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
            if type(node.ops[0]) not in signs:
                self.refuse(node)
            left, right = self.value(node.left), self.value(node.comparators[0])
            return self.build.icmp_signed(signs[type(node.ops[0])], left, right)
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return self.unit.bit(int(node.value))
        found = self.value(node)
        return found if found.type == self.unit.bit else self.build.icmp_signed("!=", found, self.unit.word(0))

    def among(self, node: ast.Compare) -> Any:
        """Translate a test whether a number is one of several."""
        (several,) = node.comparators
        if not isinstance(several, ast.Tuple):
            self.refuse(node)
        number, found = self.value(node.left), self.unit.bit(0)
        for each in several.elts:
            found = self.build.or_(found, self.build.icmp_signed("==", number, self.value(each)))
        return found

    def branch(self, node: ast.expr, yes: Any, no: Any) -> None:
        """Go on at `yes` if a test holds, else at `no`; the right side of `and` and `or` only if it decides."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.branch(node.operand, no, yes)
        elif isinstance(node, ast.BoolOp):
            for each in node.values[:-1]:
                following = self.made.append_basic_block()
                if isinstance(node.op, ast.And):
                    self.branch(each, following, no)
                else:
                    self.branch(each, yes, following)
                self.build.position_at_end(following)
            self.branch(node.values[-1], yes, no)
        else:
            self.build.cbranch(self.test(node), yes, no)
