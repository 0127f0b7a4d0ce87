// Check for leaks of freed units.

import CHeap
import FoundationEssentials
import UnitModel

/// The most units made in a round, and the number of rounds compared.
private let mostMakes = 20
private let rounds = 5

/// Small growth is normal: tables of the runtime, caches of the allocator and of libraries.
private let tolerableBytesAMake = 256
/// Growth above this limit is hardly ever normal.
private let failingBytesAMake = 1024

func checkMemory(_ trial: Trial) throws {
  let makes = min(mostMakes, try trial.units(within: .seconds(2)))
  // Libraries may allocate much for their first user, and again after the last one.
  let first = try trial.allocated()
  defer { withExtendedLifetime(first) {} }
  var before = Usage()
  var growths: [Usage] = []
  for round in 0...rounds {
    trial.doing("making, rendering and freeing \(makes) units, round \(round + 1)")
    for _ in 0..<makes {
      try inScope {
        let unit = try trial.allocated()
        _ = try trial.host(unit).run(Stimulus(unit, frames: 512, seed: 1))
        try unit.deallocateRenderResources()
        _ = unit.fullStateForDocument
      }
    }
    let now = Usage.now
    // The first round fills permanent caches.
    if round > 0 { growths.append(now.minus(before)) }
    before = now
  }
  let bytes = growths.map(\.bytes).min() ?? 0
  if bytes > tolerableBytesAMake * makes {
    let text =
      "\(bytes / makes) bytes of memory are left behind by each unit that was made and freed"
    bytes > failingBytesAMake * makes
      ? trial.fail(text, expected: "none") : trial.warn(text, expected: "none")
  }
  let descriptors = growths.map(\.descriptors).min() ?? 0
  if descriptors > 0 {
    trial.fail("\(makes) units leave \(descriptors) open files behind", expected: "none")
  }
  let threads = growths.map(\.threads).min() ?? 0
  if threads > 0 { trial.fail("\(makes) units leave \(threads) threads behind", expected: "none") }
  // Other allocators are not counted.
  if trial.findings.isEmpty && heapIsGlibc() == 0 {
    throw NotChecked(reason: "the allocator of this build tells nothing")
  }
}

/// Resources of the process that units may leak.
private struct Usage {
  var bytes = 0
  var descriptors = 0
  var threads = 0

  static var now: Usage {
    func count(_ folder: String) -> Int {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).count
    }
    return Usage(
      bytes: Int(heapBytesInUse()), descriptors: count("/proc/self/fd"),
      threads: count("/proc/self/task"))
  }

  func minus(_ other: Usage) -> Usage {
    Usage(
      bytes: bytes - other.bytes, descriptors: descriptors - other.descriptors,
      threads: threads - other.threads)
  }
}

/// Runs `body` in a separate scope, which releases its objects on return.
private func inScope(_ body: () throws -> Void) rethrows { try body() }
