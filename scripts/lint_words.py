#!/usr/bin/env python3
"""Checks how comments, help texts and type names read.

    scripts/lint_words.py [--advice] [--counts] [PATH...]

Reads the Swift files below PATH, all by default. CONTRIBUTING.md has the rules. An exception is a comment
`// words: REASON` in the line above; there are twenty at most. `--advice` also prints what is no error: long sentences,
several relative clauses in one, words that seldom help. `--counts` prints hits by rule instead.
"""
import collections
import os
import re
import subprocess
import sys

OPENING = re.compile(r"(What|How|Where|Which|Who|Whom|Whose|Why|Those|That|Of|By|As|Likewise|Meanwhile)\b")
VAGUE = re.compile(
    r"(?:The same(?: (?:for|in|as|with|without|where|at|once|between|one|of)\b|[,.:;])|The one (?:that|who|which|on)\b"
    r"|(?:It|Its|They|One (?:that|who|whose|which|with|behind|of (?:them|these|those)))\b)|Nil (?!if\b|when\b|unless\b)")
WHETHER = re.compile(r"Whether\b")
BOOL = re.compile(
    r"\bBool\b|=\s*(?:true|false)\b"
    r"|\b(?:var|let|func|case)\s+(?:is|has|had|can|was|were|are|may|should|needs|does|did|uses|keeps|takes)[A-Z]\w*")
RELATIVE = re.compile(
    r"(?<!so )(?<!such )(?<!now )\b(?:what|which|that|where|who|whom|whose|whatever|wherever|whoever)\b(?! of\b)", re.I)
FORMULA = re.compile(r" = |[·√²³∑]|\bH\(")
INVERTED = re.compile(r"Where\b[^.?]*, ")
WORDS = {
    "existence": r"\b(?:is|are|was|were|be|been) (?:not |still |already )?there\b(?! (?:is|are|was|were)\b)",
    "told": r"\b(?:is|are|was|were|be|been|being|gets?) told\b(?! (?:apart|to|otherwise)\b)|\b[Tt]ells? of\b",
    "other": r"\b(?:is|are|was|were|be) (?:another one|others|other than)\b|\bis another(?:'s)?(?=[,.;:])",
    "anew": r"(?i)\b(?:anew|likewise)\b",
    "owe": r"(?i)\b(?:heed(?:s|ed)?|ow(?:e|es|ed|ing)|deeds?|errands?|bears?)\b",
}
WORDS = {name: re.compile(pattern) for name, pattern in WORDS.items()}
ADVICE = {
    "motion": r"\b(?:what|all that|all) (?:comes?|goes?|came|has come|has gone|have come|stands?)\b"
              r"|\bcomes? (?:and|or) goe?s?\b",
    "vague": r"(?i)\b(?:behind|as it is|as they are|alone|stands|goes on)\b",
    "what": r"(?i)\bwhat\b",
}
ADVICE = {name: re.compile(pattern) for name, pattern in ADVICE.items()}
TYPE = re.compile(
    r"\b(?:class|struct|enum|actor|protocol|typealias)\s+((?!\w*DelayLines?\b)(?!ProgressLine\b)"
    r"\w*(?:Desk|Lines?|Places?|Words|Wish|Bay|Deck|Ear|Errand|News|Choice|Way(?:Out|s)?)"
    r"|(?:Told|Owed|Place|Line|Lines)(?:[A-Z]\w*)?)\b")
TEXT = re.compile(r'\b(abstract|discussion|help|accepted):\s*(?:\n\s*)?(?:"""\n(.*?)"""|"((?:[^"\\]|\\.)*)")', re.S)
MOST = 20


class Lint:
    def __init__(self):
        self.found = []
        self.exceptions = 0

    def report(self, path, line, rule, text, fails=True):
        self.found.append((fails, path, line, rule, " ".join(text.split())[:110]))


def blocks(lines):
    """Yields (number of the first line, marker, text, number behind the last line)."""
    index = 0
    while index < len(lines):
        found = re.match(r"\s*(///|//)(?!/)", lines[index])
        if not found:
            index += 1
            continue
        start, marker, text = index, found[1], []
        while index < len(lines):
            line = re.match(r"\s*(///|//)(?!/) ?(.*)", lines[index])
            if not line or line[1] != marker:
                break
            text.append(line[2])
            index += 1
        yield start, marker, text, index


def quoted(text):
    return re.sub(r'"[^"]*"', '"x"', re.sub(r"`[^`]*`", "`x`", text))


def sentences(text):
    return [part for part in re.split(r"(?<=[.!?])\s+(?=[A-Z`0-9])|\n- ?", text) if part.strip()]


def word_count(text):
    return len(re.findall(r"[A-Za-z][\w'’-]*|`x`", quoted(text)))


def summary(text):
    rest = []
    for line in text:
        if not line.strip() or line.startswith("- "):
            break
        rest.append(line)
    return "\n".join(rest)


def check_comments(lint, path, lines):
    for start, marker, text, end in blocks(lines):
        if text and text[0].startswith("words: "):
            lint.exceptions += 1
            text, start = text[1:], start + 1
            continue
        if start and re.match(r"\s*// words: \S", lines[start - 1]):
            continue
        if text and re.match(r"(swift-format-ignore|MARK:|opens:|swift-tools-version|===)", text[0]):
            continue
        head, first = summary(text), start == 0
        code = "\n".join(lines[end:])[:500]
        if marker == "///" or first:
            opening = sentences(head)[0] if sentences(head) else ""
            if OPENING.match(opening):
                lint.report(path, start + 1, "W1", opening)
            if VAGUE.match(opening) and not re.match(r"\s*(?:indirect )?case\b", code):
                lint.report(path, start + 1, "W2", opening)
            if marker == "///" and WHETHER.match(opening) and not BOOL.search(code):
                lint.report(path, start + 1, "W3", opening, fails=False)
            for sentence in sentences(head):
                if len(RELATIVE.findall(quoted(sentence))) > 1:
                    lint.report(path, start + 1, "W4", sentence, fails=False)
                if not FORMULA.search(sentence) and word_count(sentence) > 30:
                    lint.report(path, start + 1, "W5", sentence, fails=False)
        for sentence in sentences("\n".join(text)):
            flat = " ".join(sentence.split())
            if INVERTED.match(flat):
                lint.report(path, start + 1, "W6", flat)
            for name, pattern in WORDS.items():
                if pattern.search(quoted(flat)):
                    lint.report(path, start + 1, f"W7 {name}", flat)
            for name, pattern in ADVICE.items():
                if pattern.search(quoted(flat)):
                    lint.report(path, start + 1, name, flat, fails=False)


def check_texts(lint, path, source):
    for found in TEXT.finditer(source):
        text = " ".join((found[2] or found[3] or "").split())
        line = source.count("\n", 0, found.start()) + 1
        if re.search(r"// words: \S[^\n]*\n[^\n]*$", source[:found.start()]):
            continue
        if OPENING.match(text) or WHETHER.match(text):
            lint.report(path, line, f"W1 {found[1]}", text)
        for name, pattern in WORDS.items():
            if pattern.search(text):
                lint.report(path, line, f"W7 {name}", text)


def check_types(lint, path, lines):
    for number, line in enumerate(lines):
        found = TYPE.search(re.sub(r"//.*", "", line))
        if found and found[1] != "Ear":
            lint.report(path, number + 1, "W8", found[1])


def main():
    os.chdir(os.path.join(sys.path[0], ".."))
    options = {word for word in sys.argv[1:] if word.startswith("--")}
    paths = [word for word in sys.argv[1:] if not word.startswith("--")] or ["."]
    lint = Lint()
    for path in subprocess.check_output(["git", "ls-files", *paths], text=True).split("\n"):
        if not path.endswith(".swift") or not os.path.exists(path):
            continue
        source = open(path, encoding="utf-8").read()
        lines = source.split("\n")
        check_comments(lint, path, lines)
        check_texts(lint, path, source)
        check_types(lint, path, lines)
    if "--counts" in options:
        for rule, count in sorted(collections.Counter(rule for _, _, _, rule, _ in lint.found).items()):
            print(f"{count:5} {rule}")
        return
    for fails, path, line, rule, text in lint.found:
        if fails or "--advice" in options:
            print(f"{path}:{line}: {'error' if fails else 'advice'}: {rule}: {text}")
    if lint.exceptions > MOST:
        print(f"error: {lint.exceptions} exceptions by `// words:`; {MOST} at most")
    sys.exit(1 if lint.exceptions > MOST or any(found[0] for found in lint.found) else 0)


if __name__ == "__main__":
    main()
