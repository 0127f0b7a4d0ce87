// What benchmarks need of others, and Debian's packages that have it.

import Foundation

private let packages = [
  "jackd": "jackd2", "fluidsynth": "fluidsynth", "jalv": "jalv", "rubberband": "rubberband-cli",
  "TimGM6mb.sf2": "timgm6mb-soundfont", "FluidR3_GM.sf2": "fluid-soundfont-gm",
  "modern_motion.mid": "openttd-openmsx",
]

private func missing(_ name: String, as path: String) -> BenchmarkError {
  BenchmarkError(
    "there is no \(path)" + (packages[name].map { "; install the package \($0)" } ?? ""))
}

/// Throws, with the package that has it, where a program is not in PATH.
func need(program: String) throws {
  let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
  guard
    folders.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") })
  else { throw missing(program, as: program) }
}

/// Throws, with the package that has it, where a file is not there.
func need(file: URL) throws {
  guard FileManager.default.isReadableFile(atPath: file.path) else {
    throw missing(file.lastPathComponent, as: file.path)
  }
}

/// Throws where the command of this project was not built.
func need(command: URL) throws {
  guard FileManager.default.isExecutableFile(atPath: command.path) else {
    throw BenchmarkError("\(command.path) is missing: build it with 'make build'")
  }
}
