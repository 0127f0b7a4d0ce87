// Programs and files of others that benchmarks need, and Debian's packages for them.

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

/// Throws if a program is not in PATH. The error names its package.
func need(program: String) throws {
  let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
  guard
    folders.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") })
  else { throw missing(program, as: program) }
}

/// Throws if a file is not readable. The error names its package.
func need(file: URL) throws {
  guard FileManager.default.isReadableFile(atPath: file.path) else {
    throw missing(file.lastPathComponent, as: file.path)
  }
}

/// Throws if this project's command was not built.
func need(command: URL) throws {
  guard FileManager.default.isExecutableFile(atPath: command.path) else {
    throw BenchmarkError("\(command.path) is missing: build it with 'make build'")
  }
}
