#!/usr/bin/env python3
"""Walks all calls that the render thread can make, in the machine code that is shipped.

    scripts/render_calls.py BINARY            what our own code reaches, by scripts/render-calls.txt
    scripts/render_calls.py BINARY LIBRARY    what libfluidsynth reaches from the functions that the binary's render
                                              side calls, by scripts/render-calls-fluidsynth.txt
    … --list                                  print what is reached instead of judging it

The compiler checks what carries its annotations; this sees what it made of everything. From the registered
render and reset functions, FluidSynth's callbacks and JACK's process callback it follows each call and jump.
It fails on an import, an indirect call, a recursion or a trapping instruction that the list does not have, on a
frame above 16 KiB, and on lines of the list that nothing needs any more.
"""
import bisect
import collections
import re
import subprocess
import sys

FRAME_LIMIT = 16 * 1024

SYMBOL = re.compile(r"^([0-9a-f]+) <(.+)>:$")
LINE = re.compile(r"^\s*([0-9a-f]+):\t([a-z0-9,. ]+?)(?:\s+(.*))?$")
TARGET = re.compile(r"^([0-9a-f]+)(?: <(.+?)(\+0x[0-9a-f]+)?>)?")
SLOT = re.compile(r"#\s*([0-9a-f]+)\b")
TABLE = re.compile(r"^movs(lq|xd)\b|^movslq|^movsxd")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, errors="replace").stdout


class Function:
    def __init__(self, name, address):
        self.name, self.address = name, address
        self.calls = set()      # addresses of functions
        self.imports = set()    # names
        self.indirect = 0       # calls through a register or memory that is not a slot of an import
        self.traps = 0
        self.frame = 0
        self.grows = False      # takes stack by an amount that is not constant
        self.takes = set()      # addresses of code that are taken


def plain(name):
    """An import without the version that objdump puts behind it."""
    return name.split("@")[0]


class Code:
    """The functions of an ELF file, by address."""

    def __init__(self, path):
        self.path = path
        self.slots = {}
        for line in run("readelf", "-rW", path).splitlines():
            fields = line.split()
            if len(fields) >= 5 and re.match(r"R_\w+_(GLOB_DAT|JUMP_SLO|64$)", fields[2]):
                self.slots[int(fields[0], 16)] = plain(fields[4])
        self.sizes = {}
        for line in run("readelf", "-sW", path).splitlines():
            fields = line.split()
            if len(fields) >= 8 and fields[3] in ("FUNC", "IFUNC") and fields[6].isdigit():
                address, size = int(fields[1], 16), int(fields[2], 0)
                self.sizes[address] = max(size, self.sizes.get(address, 0))
        # Functions without a symbol have an entry for the unwinder.
        self.begins = set()
        for begin in re.finditer(r" FDE .*pc=([0-9a-f]+)\.\.", run("readelf", "-wF", path)):
            self.begins.add(int(begin[1], 16))
        self.functions = {}
        self.byname = collections.defaultdict(list)
        self.read()

    def read(self):
        process = subprocess.Popen(
            ["objdump", "-d", "--no-show-raw-insn", "-M", "suffix", self.path],
            stdout=subprocess.PIPE, text=True, errors="replace")
        function, end, recent = None, 0, collections.deque(maxlen=12)
        pending = []
        for line in process.stdout:
            line = line.rstrip("\n")
            begin = SYMBOL.match(line)
            if begin:
                function = self.begin(begin[2], int(begin[1], 16))
                size = self.sizes.get(function.address, 0)
                end = function.address + size if size else 1 << 64
                recent.clear()
                continue
            if function is None:
                continue
            fields = line.split("\t")
            if len(fields) < 2 or not fields[0].strip():
                continue
            words = fields[1].split(None, 1)
            mnemonic = words[0]
            address = int(fields[0].strip().rstrip(":"), 16)
            if address in self.begins and address != function.address:
                function, end = self.begin("(without a name)", address), 1 << 64
                recent.clear()
            elif address >= end:
                # What stands behind a function's end is one without a name, or padding.
                if mnemonic.startswith("nop") or mnemonic in ("int3", "xchg", "data16", "cs"):
                    continue
                function, end = self.begin("(without a name)", address), 1 << 64
                recent.clear()
            operands = words[1].strip() if len(words) > 1 else ""
            while mnemonic in ("notrack", "bnd", "lock", "rep", "repz", "data16", "cs") and operands:
                words = operands.split(None, 1)
                mnemonic, operands = words[0], words[1].strip() if len(words) > 1 else ""
            self.take(function, mnemonic, operands, recent, pending)
            recent.append(mnemonic + " " + operands)
        process.wait()
        self.starts = sorted(self.functions)
        for function, address, isCall in pending:
            target = self.holder(address)
            if target is not None and (isCall or target is not function):
                function.calls.add(target.address)
        for function in self.functions.values():
            function.takes = {address for address in function.takes if address in self.functions}

    def begin(self, name, address):
        function = self.functions[address] = Function(name, address)
        self.byname[name].append(function)
        return function

    def holder(self, address):
        """The function that an address lies in."""
        place = bisect.bisect_right(self.starts, address) - 1
        return self.functions[self.starts[place]] if place >= 0 else None

    def take(self, function, mnemonic, operands, recent, pending):
        if mnemonic in ("ud2", "int3", "brk", "hlt") or mnemonic.startswith("ud1"):
            function.traps += mnemonic != "int3"
        elif mnemonic.startswith("push"):
            function.frame += 8
        elif mnemonic.startswith("sub") and operands.endswith(",%rsp"):
            amount = re.match(r"\$0x([0-9a-f]+),", operands)
            if amount:
                function.frame += int(amount[1], 16)
            else:
                function.grows = True
        elif mnemonic.startswith("lea"):
            taken = SLOT.search(operands)
            if taken:
                function.takes.add(int(taken[1], 16))
        elif mnemonic.startswith("call"):
            self.jump(function, operands, recent, pending, True)
        elif mnemonic.startswith("j"):
            self.jump(function, operands, recent, pending, False)

    def jump(self, function, operands, recent, pending, isCall):
        if operands.startswith("*"):
            slot = SLOT.search(operands)
            if slot and int(slot[1], 16) in self.slots:
                function.imports.add(self.slots[int(slot[1], 16)])
            elif isCall or not self.isTable(operands, recent):
                function.indirect += 1
            return
        target = TARGET.match(operands)
        if not target:
            return
        if target[2] and target[2].endswith("@plt") and not target[3]:
            function.imports.add(plain(target[2]))
        else:
            pending.append((function, int(target[1], 16), isCall))

    def isTable(self, operands, recent):
        """Whether a jump goes to one of a switch's cases: to what was added up just before from a table."""
        return any(TABLE.match(line) for line in recent) and any(
            line.startswith("add") for line in recent)


def demangled(names, form):
    text = subprocess.run(
        ["swift-demangle", form], input="\n".join(names), check=True, capture_output=True,
        text=True).stdout
    return dict(zip(names, text.splitlines()))


class Rules:
    """A list: sections of lines 'NAME [COUNT]  REASON'."""

    def __init__(self, path):
        self.path = path
        self.sections = collections.defaultdict(dict)
        section = None
        for number, line in enumerate(open(path), 1):
            line = line.rstrip()
            if not line or line.startswith("#"):
                continue
            heading = re.match(r"^\[(\w+)\]$", line)
            if heading:
                section = heading[1]
                self.sections[section]
                continue
            name, separator, reason = line.partition("  ")
            if section is None or not separator or not reason.strip():
                sys.exit(f"{path}:{number}: wanted 'NAME  REASON' below a [section]")
            count = 0
            numbered = re.match(r"^(.*?) x(\d+)$", name)
            if numbered:
                name, count = numbered[1], int(numbered[2])
            self.sections[section][name] = (count, reason.strip(), number)


def cycles(code, came):
    """The functions that can be called again before they return."""
    index, low, onStack, stack, result = {}, {}, set(), [], []
    for start in came:
        if start in index:
            continue
        follow = lambda address: iter(sorted(code.functions[address].calls & came.keys()))
        work = [(start, follow(start))]
        index[start] = low[start] = len(index)
        stack.append(start)
        onStack.add(start)
        while work:
            node, successors = work[-1]
            for successor in successors:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    stack.append(successor)
                    onStack.add(successor)
                    work.append((successor, follow(successor)))
                    break
                if successor in onStack:
                    low[node] = min(low[node], index[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group = []
                    while True:
                        member = stack.pop()
                        onStack.discard(member)
                        group.append(member)
                        if member == node:
                            break
                    if len(group) > 1 or node in code.functions[node].calls:
                        result.append(group)
    return result


class Walk:
    """What is reached from some roots, judged by a list."""

    def __init__(self, code, rules, name):
        self.code, self.rules, self.name = code, rules, name
        self.unused = {section: set(lines) for section, lines in rules.sections.items()}
        self.faults, self.report = [], []
        self.registered = []

    def listed(self, section, text):
        for pattern in self.rules.sections[section]:
            if re.fullmatch(pattern, text):
                self.unused[section].discard(pattern)
                return pattern
        return None

    def go(self, roots):
        self.came = {}
        queue = collections.deque()
        for root in roots:
            self.reach(root, None, queue)
        while queue:
            function = queue.popleft()
            targets = function.calls | function.takes | self.ownExports(function)
            pattern = function.indirect and self.listed("indirect", self.name(function))
            if pattern and self.rules.sections["indirect"][pattern][1].endswith("roots"):
                targets |= {root.address for root in self.registered}
            function.calls = targets
            for address in sorted(targets):
                self.reach(self.code.functions[address], function.address, queue)
        self.imports = collections.defaultdict(list)
        for address in self.came:
            function = self.code.functions[address]
            for imported in function.imports - self.code.exports.keys():
                self.imports[imported].append(address)

    def reach(self, function, origin, queue):
        if function.address in self.came or self.listed("stops", self.name(function)):
            return
        self.came[function.address] = origin
        queue.append(function)

    def ownExports(self, function):
        return {self.code.exports[name] for name in function.imports & self.code.exports.keys()}

    def path(self, address):
        steps = []
        while address is not None:
            steps.append(self.name(self.code.functions[address]))
            address = self.came[address]
        return " < ".join(steps[:6])

    def judge(self):
        functions = [self.code.functions[address] for address in self.came]
        for imported, users in sorted(self.imports.items()):
            if self.listed("imports", imported):
                self.report.append(f"import {imported}: {self.path(users[0])}")
            else:
                self.faults.append(f"an import, {imported}: {self.path(users[0])}")
        for function in functions:
            if function.frame > FRAME_LIMIT or function.grows:
                size = "a variable size" if function.grows else f"{function.frame} bytes"
                if not self.listed("frames", self.name(function)):
                    self.faults.append(f"a frame of {size}: {self.path(function.address)}")
        for group in cycles(self.code, self.came):
            members = sorted(self.name(self.code.functions[address]) for address in group)
            self.report.append(f"recursion: {', '.join(members)}")
            if not any(self.listed("recursion", member) for member in members):
                self.faults.append(f"a recursion: {', '.join(members)}")
        self.count("indirect", "indirect calls", functions, lambda f: f.indirect)
        if "traps" in self.rules.sections:
            self.count("traps", "trapping instructions", functions, lambda f: f.traps)
        for section, left in self.unused.items():
            for pattern in sorted(left):
                number = self.rules.sections[section][pattern][2]
                self.faults.append(f"{self.rules.path}:{number}: nothing needs this line: {pattern}")
        largest = max(functions, key=lambda f: f.frame)
        self.summary = (
            f"{self.code.path}: {len(functions)} functions, {len(self.imports)} imports, "
            f"{sum(f.indirect for f in functions)} indirect calls, "
            f"{sum(f.traps for f in functions)} trapping instructions, "
            f"largest frame {largest.frame} bytes ({self.name(largest)})")

    def count(self, section, what, functions, number):
        """Holds the sum of all functions that match a line to the line's count."""
        sums = collections.Counter()
        for function in sorted(functions, key=self.name):
            if not number(function):
                continue
            pattern = self.listed(section, self.name(function))
            sums[pattern] += number(function)
            text = f"{number(function)} {what}: {self.path(function.address)}"
            (self.report if pattern else self.faults).append(text)
        for pattern, (limit, _, line) in self.rules.sections[section].items():
            if sums[pattern] > limit:
                self.faults.append(
                    f"{self.rules.path}:{line}: {sums[pattern]} {what}, {limit} are listed: {pattern}")
            elif sums[pattern] < limit:
                self.report.append(
                    f"{self.rules.path}:{line}: {sums[pattern]} {what} are left of {limit}: {pattern}")


def walkBinary(path, here):
    """From the functions that are registered for rendering, by their Swift names and signatures."""
    code, rules = Code(path), Rules(f"{here}/render-calls.txt")
    code.exports = {}
    # What takes a function's address hands it to somebody else, or asks for its metadata; who calls is listed.
    for function in code.functions.values():
        function.takes = set()
    every = sorted(code.byname)
    names, signatures = demangled(every, "--simplified"), demangled(every, "--compact")
    walk = Walk(code, rules, lambda function: names.get(function.name, function.name))
    roots = []
    for mangled, functions in code.byname.items():
        pattern = walk.listed("roots", signatures[mangled])
        if pattern:
            roots += functions
            if rules.sections["roots"][pattern][1].startswith("unit:"):
                walk.registered += functions
    if not roots:
        sys.exit(f"{path}: no root is there; is it the right file, and not stripped?")
    walk.go(roots)
    return walk


def walkLibrary(path, imports, here):
    """From functions that are called, by the names that the library exports."""
    code, rules = Code(path), Rules(f"{here}/render-calls-fluidsynth.txt")
    code.exports = {}
    for line in run("readelf", "-W", "--dyn-syms", path).splitlines():
        fields = line.split()
        if len(fields) >= 8 and fields[3] == "FUNC" and fields[6].isdigit():
            code.exports[plain(fields[7])] = int(fields[1], 16)
    names = {address: name for name, address in code.exports.items()}
    walk = Walk(code, rules, lambda function: names.get(function.address, "a function without a name"))
    walk.go([code.functions[code.exports[name]] for name in imports if name in code.exports])
    return walk


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    walk = walkBinary(arguments[0], sys.path[0])
    if len(arguments) == 2:
        walk = walkLibrary(arguments[1], sorted(walk.imports), sys.path[0])
    walk.judge()
    if "--list" in sys.argv:
        print("\n".join(walk.report))
    print(walk.summary)
    for fault in walk.faults:
        print(f"error: {fault}")
    sys.exit(1 if walk.faults else 0)


if __name__ == "__main__":
    main()
