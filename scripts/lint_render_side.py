#!/usr/bin/env python3
"""Checks that no way leads round the compiler's proof of the render side.

    scripts/lint_render_side.py [DIRECTORY]

- What takes code out of the proof (`no_performance_analysis`, vouched C attributes) stands in files named
  `Vouched.swift`, each in its reviewed place, and in CRealtime.
- What is registered for rendering (`render:`, `reset:` and `process:` of RenderResources, InternalRender and SourceUnit,
  JACK's process callback) is the name of a function that carries `@_noLocks @_noAllocation`, so that each proof has a root.
- An annotated method cannot be overridden by one that is not: classes with annotated members are final.
"""
import os
import re
import sys

EXEMPT = {"Tests/RealtimeGuardProbe"}  # breaks the rules on purpose, for RealtimeSanitizer to find
MARKS = re.compile(r"no_performance_analysis|swift_attr\b|AURICLE_VOUCHED")
ANNOTATIONS = ("@_noLocks", "@_noAllocation")
REGISTRATION = re.compile(r"\b(?:RenderResources|InternalRender|SourceUnit)\s*\(((?:[^()]|\([^()]*\))*)\)", re.S)
ARGUMENT = re.compile(r"\b(render|reset|process)\s*:\s*([^,)]+)")
CALLBACK = re.compile(r"\bjack_set_process_callback\s*\(\s*[^,]+,\s*([^,)]+)")
NAME = re.compile(r"^[a-z]\w*$")


def swiftFiles(directory):
    for top in ("Sources", "Examples", "Tests"):
        for folder, folders, files in os.walk(os.path.join(directory, top)):
            folders[:] = sorted(f for f in folders if not f.startswith("."))
            for file in sorted(files):
                if file.endswith((".swift", ".h", ".c", ".cpp")):
                    yield os.path.relpath(os.path.join(folder, file), directory)


def withoutComments(text):
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.S)


def module(path):
    """Where a name that is not qualified is declared: the folder of a target."""
    parts = path.split("/")
    return "/".join(parts[:4] if parts[0] == "Examples" else parts[:2])


def annotated(text, place):
    """Whether the attributes before a declaration have both annotations."""
    before = text[:place].rstrip()
    line = before.rfind("}")
    attributes = re.search(r"((?:@\w+(?:\([^)]*\))?|public|package|private|fileprivate|internal|static|\s)+)$", before)
    return attributes is not None and all(a in attributes[1] for a in ANNOTATIONS)


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else os.path.join(sys.path[0], "..")
    texts = {path: withoutComments(open(os.path.join(directory, path), encoding="utf-8").read())
             for path in swiftFiles(directory)}
    faults = []

    def fault(path, place, message):
        faults.append(f"{path}:{texts[path].count(chr(10), 0, place) + 1}: {message}")

    for path, text in texts.items():
        if any(path.startswith(exempt) for exempt in EXEMPT):
            continue
        mayVouch = path.startswith("Sources/") and (
            os.path.basename(path) == "Vouched.swift" or path.startswith("Sources/CRealtime/"))
        for mark in MARKS.finditer(text):
            if not mayVouch:
                fault(path, mark.start(), f"'{mark[0]}' may stand in Vouched.swift and CRealtime only")
        if not path.endswith(".swift"):
            continue
        registered = [
            (call.start(1) + argument.start(2), argument[2].strip())
            for call in REGISTRATION.finditer(text) for argument in ARGUMENT.finditer(call[1])]
        if path.startswith("Sources/"):
            registered += [(call.start(1), call[1].strip()) for call in CALLBACK.finditer(text)]
        for place, name in registered:
            # What passes on what it was given is judged where it was given.
            if re.search(rf"\b{re.escape(name)}\s*:\s*@escaping\s+\w+Function\b", text):
                continue
            if not NAME.match(name):
                fault(path, place, f"'{name}' is registered for rendering: name an annotated function")
                continue
            declarations = [
                (other, found.start()) for other, body in texts.items() if module(other) == module(path)
                for found in re.finditer(rf"\bfunc {name}\s*\(", body)]
            if not declarations:
                fault(path, place, f"'{name}' is registered for rendering, but is no function of this target")
            for other, found in declarations:
                if not annotated(texts[other], found):
                    fault(other, found, f"'{name}' is registered for rendering: it needs {' '.join(ANNOTATIONS)}")
        for found in re.finditer(r"^([^\n]*)\bclass\s+(\w+)[^\n{]*\{", text, re.M):
            if found[1].strip().startswith(("/", "static", "override", "case")) or "final" in found[1].split():
                continue
            depth, place = 1, found.end()
            while depth and place < len(text):
                depth += {"{": 1, "}": -1}.get(text[place], 0)
                place += 1
            if ANNOTATIONS[0] in text[found.end():place]:
                fault(path, found.start(), f"class {found[2]} has annotated members and is not final: "
                      "what overrides them is not checked")
    for line in faults:
        print(f"error: {line}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
