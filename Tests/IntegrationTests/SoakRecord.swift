// The size of a process, round by round.

import Foundation
import TestSupport
import Testing

/// Repeats rounds, and checks the size of a process: descriptors and threads after each round,
/// memory in the end.
struct SoakRecord {
  /// The number of warm-up rounds, after which everything has happened once.
  let warmUp: Int
  let name: String
  let process: pid_t
  private var sizes: [ProcessSize] = []

  init(_ name: String, of process: pid_t, warmUp: Int) {
    (self.name, self.process, self.warmUp) = (name, process, warmUp)
  }

  /// The allowed growth of memory from the first fifth of the rounds to the last, in kilobytes: the
  /// heap gets holes.
  private static func allowance(_ resident: Int) -> Int { resident / 20 + 8 << 10 }

  /// Runs rounds for some seconds, and more if these were not twice the warm-up.
  mutating func run(seconds: Int, _ round: (Int) async throws -> Void) async throws {
    let start = ContinuousClock.now
    var told = start
    while sizes.count < 2 * warmUp || ContinuousClock.now - start < .seconds(seconds) {
      try await round(sizes.count)
      guard try await settle() else { break }
      if ContinuousClock.now - told > .seconds(30) {
        told = .now
        print("soak, \(name), round \(sizes.count): \(sizes.last!)")
      }
    }
    print(table)
  }

  /// Waits until the process has released the round's resources.
  /// - Returns: whether it has.
  private mutating func settle() async throws -> Bool {
    var size = try now()
    if sizes.count < warmUp {
      // The level to return to is not known yet.
      try await Task.sleep(for: .milliseconds(300))
      size = try now()
    } else {
      let (descriptors, threads) = level
      let isLevel = try await eventually(within: .seconds(60)) {
        size = try now()
        return size.descriptors <= descriptors && size.threads <= threads
      }
      #expect(
        isLevel,
        "\(name), round \(sizes.count + 1): \(size); at most \(descriptors) and \(threads) wanted")
      if !isLevel { return false }
    }
    sizes.append(size)
    return true
  }

  private func now() throws -> ProcessSize { try #require(ProcessSize(of: process)) }

  /// The most descriptors after a round of the warm-up, and the most threads plus 4: the runtime's
  /// pool starts and ends threads.
  private var level: (descriptors: Int, threads: Int) {
    let first = sizes.prefix(warmUp)
    return (first.map(\.descriptors).max() ?? 0, (first.map(\.threads).max() ?? 0) + 4)
  }

  /// Expects no growth of memory, except for malloc's holes.
  func expectNoGrowth() {
    let fifths = fifths
    guard let first = fifths.first, let last = fifths.last else { return }
    let (before, after) = (Self.median(first.map(\.resident)), Self.median(last.map(\.resident)))
    #expect(
      after - before <= Self.allowance(before), "\(name): \(before) kB, and \(after) kB at last")
  }

  /// Five equal parts of the rounds after the warm-up; none if these are fewer than five.
  private var fifths: [ArraySlice<ProcessSize>] {
    let rounds = sizes.dropFirst(warmUp)
    guard rounds.count >= 5 else { return [] }
    return (0..<5).map { fifth in
      rounds.dropFirst(rounds.count * fifth / 5).prefix(
        rounds.count * (fifth + 1) / 5 - rounds.count * fifth / 5)
    }
  }

  private static func median(_ numbers: [Int]) -> Int { numbers.sorted()[numbers.count / 2] }

  private var table: String {
    func span(_ numbers: [Int]) -> String { "\(numbers.min()!)-\(numbers.max()!)" }
    func row(_ cells: [String]) -> String {
      cells.map { $0 + String(repeating: " ", count: max(1, 14 - $0.count)) }.joined()
    }
    var lines = [row([name, "rounds", "descriptors", "threads", "median of MB"])]
    let parts = [("warm-up", sizes.prefix(warmUp))] + fifths.map { ("", $0) }
    for (title, part) in parts where !part.isEmpty {
      lines.append(
        row([
          title, "\(part.startIndex + 1)-\(part.endIndex)", span(part.map(\.descriptors)),
          span(part.map(\.threads)),
          String(format: "%.1f", Double(Self.median(part.map(\.resident))) / 1024),
        ]))
    }
    return lines.joined(separator: "\n")
  }
}
