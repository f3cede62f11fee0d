"""Functions of integers made into machine code: a small part of Python, translated for LLVM.

The same functions run as plain Python too, slower and with the same results; `kernel` is written so. What may stand in
them: parameters annotated `int` or `Memory` (an array of 64-bit integers), results annotated `int`, `bool`, `None` or a
tuple of `int`; assignments, `if`, `while`, `for` over `range`, `break`, `continue`, `return`; comparisons, `in` a
tuple, `and`, `or`, `not`, `+ - * // % << >> & | ^`, `min`, `max`, calls of one another, words of `integers`. Integers
have 64 bits: what grows larger is cut by `& WORD`, and what may be 2**63 or more is compared by `less`. `//`, `%` and
`>>` are for numbers of at least 0.

A variable annotated `Lanes`, or first set to what such variables give, holds LANES numbers side by side, on which one
instruction works at once. A single number beside them counts for each. `a if test else b` then chooses lane by lane,
both values being worked out; other tests are for `some`. A function of `int` that is given lanes gives lanes.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from functools import singledispatchmethod
from typing import Any, NoReturn, TypeAlias, cast

from rulekit.probability import integers
from rulekit.probability.integers import LANES, WORD, note

Function: TypeAlias = Callable[..., Any]
OF_ALL_LANES = ("some", "largest", "lane")


class Unit:
    """Translate functions, each the first time that it is called."""

    def __init__(self, apart: frozenset[Function]) -> None:
        from llvmlite import ir

        self.types = ir
        self.apart = apart
        self.ir = ir.Module("rulekit")
        self.word, self.bit, self.memory = ir.IntType(64), ir.IntType(1), ir.PointerType(ir.IntType(64))
        self.lanes = ir.VectorType(self.word, LANES)
        self.functions: dict[tuple[Function, tuple[bool, ...]], Any] = {}
        self.words: dict[str, Any] = {}

    def function(self, given: Function, linkage: str = "internal", wide: tuple[bool, ...] = ()) -> Any:
        """Return a function, translated; `wide` says which arguments are lanes."""
        tree = cast("ast.FunctionDef", ast.parse(inspect.getsource(given)).body[0])
        notes = [each.annotation for each in tree.args.args]
        given_lanes = wide or (False,) * len(notes)
        wide = tuple(
            lanes and ast.unparse(each) == "int" for lanes, each in zip(given_lanes, notes, strict=True) if each
        )
        if (given, wide) not in self.functions:
            kinds = [self.kind(each, lanes) for each, lanes in zip(notes, wide, strict=True)]
            name = tree.name + "_" * any(wide)
            made = self.types.Function(
                self.ir,
                self.types.FunctionType(self.kind(tree.returns, any(wide)), kinds),
                self.ir.get_unique_name(name),
            )
            for argument, each in zip(made.args, tree.args.args, strict=True):
                argument.name = each.arg
                if argument.type == self.memory:
                    argument.add_attribute("noalias")
            made.linkage = linkage
            if linkage == "internal":
                made.attributes.add("noinline" if given in self.apart else "alwaysinline")
            self.functions[given, wide] = made
            _Body(self, made, tree, given.__globals__)
        return self.functions[given, wide]

    def kind(self, annotation: ast.expr | None, wide: bool) -> Any:
        """Return the type that an annotation stands for, where `int` may be lanes."""
        if isinstance(annotation, ast.Subscript) and isinstance(annotation.slice, ast.Tuple):
            return self.types.LiteralStructType([self.kind(each, wide) for each in annotation.slice.elts])
        number = self.lanes if wide else self.word
        names = {"int": number, "Lanes": self.lanes, "bool": self.bit, "Memory": self.memory}
        return (
            names[ast.unparse(annotation)]
            if annotation and ast.unparse(annotation) != "None"
            else self.types.VoidType()
        )

    def instruction(self, name: str, result: Any, *kinds: Any) -> Any:
        """Return one of LLVM's own functions."""
        if name not in self.words:
            self.words[name] = self.types.Function(self.ir, self.types.FunctionType(result, kinds), name)
        return self.words[name]


class _Body:
    """Translate the body of one function."""

    def __init__(self, unit: Unit, made: Any, tree: ast.FunctionDef, known: Mapping[str, Any]) -> None:
        self.unit, self.made, self.types, self.known = unit, made, unit.types, known
        self.build = unit.types.IRBuilder(made.append_basic_block())
        self.places: dict[str, Any] = {}
        self.kinds: dict[str, Any] = {}
        self.arrays = {each.name: each for each in made.args if each.type == unit.memory}
        self.loops: list[tuple[Any, Any]] = []
        for each in made.args:
            if each.name not in self.arrays:
                self.keep(each.name, each)
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
                result = self.build.insert_value(result, self.fit(self.value(each), result.type.elements[place]), place)
            self.build.ret(result)
        elif self.made.ftype.return_type == self.unit.bit:
            yes, no = self.made.append_basic_block(), self.made.append_basic_block()
            self.branch(node.value, yes, no)
            for block, answer in ((yes, 1), (no, 0)):
                self.build.position_at_end(block)
                self.build.ret(self.unit.bit(answer))
        else:
            self.build.ret(self.fit(self.value(node.value), self.made.ftype.return_type))

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
        now = self.load(node.target)
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
            step = self.known.get(ast.unparse(over.args[2])) or ast.literal_eval(over.args[2])
        start, stop = (self.unit.word(0), start[0]) if len(start) == 1 else (start[0], start[1])
        counter = self.local()
        self.build.store(start, counter)
        test, body, following, end = (self.made.append_basic_block() for _ in range(4))
        self.build.branch(test)
        self.build.position_at_end(test)
        now = self.build.load(counter)
        self.build.cbranch(self.build.icmp_signed("<" if step > 0 else ">", now, stop), body, end)
        self.build.position_at_end(body)
        self.keep(node.target.id, now)
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

    def local(self, kind: Any = None) -> Any:
        """Make a place for one number, or for lanes, at the beginning of the function."""
        with self.build.goto_entry_block():
            return self.build.alloca(kind or self.unit.word)

    def keep(self, name: str, value: Any) -> None:
        """Set a variable, which is of the kind of the first value that it is set to."""
        if name not in self.places:
            self.places[name], self.kinds[name] = self.local(value.type), value.type
        self.build.store(self.fit(value, self.kinds[name]), self.places[name])

    def load(self, node: ast.expr) -> Any:
        kind = self.kinds[node.id] if isinstance(node, ast.Name) and node.id in self.kinds else self.unit.word
        return self.build.load(self.address(node), typ=kind)

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
        if isinstance(target, ast.Name):
            self.keep(target.id, value)
        else:
            self.build.store(self.fit(value, self.unit.word), self.address(target))

    # lanes

    def fit(self, value: Any, kind: Any) -> Any:
        """Put a number into all lanes where lanes are wanted."""
        if value.type == kind:
            return value
        if kind != self.unit.lanes or value.type != self.unit.word:
            self.refuse(ast.Name(f"{value.type} as {kind}"))
        if isinstance(value, self.types.Constant):
            return kind([value.constant] * LANES)
        first = self.build.insert_element(kind(self.types.Undefined), value, self.types.IntType(32)(0))
        zeros = self.types.VectorType(self.types.IntType(32), LANES)([0] * LANES)
        return self.build.shuffle_vector(first, kind(self.types.Undefined), zeros)

    def alike(self, left: Any, right: Any) -> tuple[Any, Any]:
        """Make both of two values lanes if one is."""
        kind = self.unit.lanes if self.unit.lanes in (left.type, right.type) else left.type
        return self.fit(left, kind), self.fit(right, kind)

    def is_wide(self, node: ast.AST) -> bool:
        """Tell whether lanes stand in an expression."""
        if isinstance(node, ast.Call):
            function = self.known.get(ast.unparse(node.func))
            result = inspect.get_annotations(function)["return"] if inspect.isfunction(function) else ""
            if result == "Lanes" or ast.unparse(node.func) in OF_ALL_LANES:
                return bool(result == "Lanes")
        mine = isinstance(node, ast.Name) and self.kinds.get(node.id) == self.unit.lanes
        return mine or any(map(self.is_wide, ast.iter_child_nodes(node)))

    def lane_tests(self, node: ast.expr) -> Any:
        """Translate an expression that is true or false for each lane."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.build.not_(self.lane_tests(node.operand))
        if isinstance(node, ast.BoolOp):
            together = self.build.and_ if isinstance(node.op, ast.And) else self.build.or_
            found = self.lane_tests(node.values[0])
            for each in node.values[1:]:
                found = together(found, self.lane_tests(each))
            return found
        return self.test(node)

    def over_lanes(self, name: str, numbers: Any) -> Any:
        """Translate a word that makes one number of those of all lanes."""
        numbers = self.fit(numbers, self.unit.lanes)
        if name == integers.largest.__name__:
            of_all = self.unit.instruction(f"llvm.vector.reduce.smax.v{LANES}i64", self.unit.word, self.unit.lanes)
            return self.build.call(of_all, [numbers])
        tests = self.build.icmp_signed("!=", numbers, self.unit.lanes([0] * LANES))
        any_of = self.unit.instruction(f"llvm.vector.reduce.or.v{LANES}i1", self.unit.bit, tests.type)
        return self.build.call(any_of, [tests])

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
            return self.load(node)
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
        return operations[type(operator)](*self.alike(left, right))

    def choose(self, node: ast.IfExp) -> Any:
        """Translate `a if test else b`."""
        if self.is_wide(node.test):
            both = (self.fit(self.value(each), self.unit.lanes) for each in (node.body, node.orelse))
            return self.build.select(self.lane_tests(node.test), *both)
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
        function = self.known.get(name)
        given = [
            self.arrays[each.id] if isinstance(each, ast.Name) and each.id in self.arrays else self.value(each)
            for each in node.args
        ]
        if name in ("min", "max"):
            left, right = self.alike(*given)
            return self.build.select(self.build.icmp_signed("<" if name == "min" else ">", left, right), left, right)
        if not inspect.isfunction(function):
            self.refuse(node)
        if function.__module__ == integers.__name__:
            return self.word(name, given)
        wanted = self.unit.function(function, wide=tuple(each.type == self.unit.lanes for each in given))
        return self.build.call(wanted, [self.fit(each, to.type) for each, to in zip(given, wanted.args, strict=True)])

    def word(self, name: str, given: list[Any]) -> Any:
        """Translate one of the words of `integers`."""
        place = self.types.IntType(32)
        if name == integers.less.__name__:
            return self.build.icmp_unsigned("<", *self.alike(*given))
        if name == integers.high.__name__:
            return self.high(*given)
        if name == integers.bits_in.__name__:
            kind = given[0].type
            suffix = f"v{LANES}i64" if kind == self.unit.lanes else "i64"
            return self.build.call(self.unit.instruction(f"llvm.ctpop.{suffix}", kind, kind), given)
        if name == integers.spread.__name__:
            return self.fit(given[0], self.unit.lanes)
        if name == integers.lane_numbers.__name__:
            return self.unit.lanes(list(range(LANES)))
        if name == integers.lane.__name__:
            return self.build.extract_element(given[0], self.build.trunc(given[1], place))
        if name == integers.with_lane.__name__:
            return self.build.insert_element(given[0], given[2], self.build.trunc(given[1], place))
        if name in (integers.lanes_at.__name__, integers.put_lanes.__name__):
            return self.lanes_in_memory(*given)
        return self.over_lanes(name, given[0])

    def lanes_in_memory(self, memory: Any, at: Any, numbers: Any = None) -> Any:
        """Read the numbers of all lanes, or write them."""
        start = self.build.gep(memory, [at], True, source_etype=self.unit.word)
        start = self.build.bitcast(start, self.unit.lanes.as_pointer())
        if numbers is None:
            return self.build.load(start, align=8, typ=self.unit.lanes)
        return self.build.store(self.fit(numbers, self.unit.lanes), start, align=8)

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
            left, right = self.alike(self.value(node.left), self.value(node.comparators[0]))
            return self.build.icmp_signed(signs[type(node.ops[0])], left, right)
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return self.unit.bit(int(node.value))
        found = self.value(node)
        if found.type == self.unit.word:
            return self.build.icmp_signed("!=", found, self.unit.word(0))
        return self.build.icmp_signed("!=", found, found.type([0] * LANES)) if found.type == self.unit.lanes else found

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
            test = self.test(node)
            if test.type != self.unit.bit:
                self.refuse(node)
            self.build.cbranch(test, yes, no)
