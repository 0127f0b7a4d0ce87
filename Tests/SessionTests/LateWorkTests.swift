// Slow changes: they delay only changes with the same claims.

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite(.timeLimit(.minutes(5))) struct LateWorkTests {
  private let late = LateWork()

  /// A change that waits until it is opened.
  private final class Gate: Sendable {
    private let state = Mutex((isReached: false, isOpen: false))

    var isReached: Bool { state.withLock { $0.isReached } }

    func open() { state.withLock { $0.isOpen = true } }

    func pass() async {
      state.withLock { $0.isReached = true }
      while !state.withLock({ $0.isOpen }) { try? await Task.sleep(for: .milliseconds(1)) }
    }
  }

  private func begin(_ claims: Claims) -> Gate {
    let gate = Gate()
    late.begin("\(claims)", claims) { await gate.pass() }
    return gate
  }

  @Test func workWithTheSameClaimRunsInOrder() async throws {
    let (first, second) = (begin(.sound(of: "a")), begin(.sound(of: "a")))
    let others = [
      begin(.sound(of: "b")), begin(Claims([.unit("a")])), begin(Claims([.history])),
      begin(Claims([.file])), begin(Claims([.structure])), begin(.none),
    ]
    for gate in others + [first] { #expect(await eventually { gate.isReached }) }
    #expect(!second.isReached)
    #expect(late.pending.count == 8)
    first.open()
    #expect(await eventually { second.isReached })
    for gate in others + [second] { gate.open() }
    await late.finish()
    #expect(late.pending.isEmpty)
  }

  /// The order of levels, by which no two changes wait for each other.
  @Test func aChangeOfAUnitMayClaimTheStructureAndNotTheOtherWayRound() {
    let levels = [Claim.history, .unit("a"), .structure].map(\.level)
    #expect(levels == levels.sorted() && Set(levels).count == 3)
    #expect(Claim.frame(0).level == Claim.history.level && Claim.file.level == Claim.history.level)
    #expect(Claim.sound("a").level == Claim.unit("a").level)
  }

  @Test func aLoadWaitsForAReplacementOfItsUnitAndNotTheOtherWayRound() async throws {
    let load = begin(.sound(of: "a"))
    let replacement = begin(Claims(awaiting: [], holding: [.unit("a")]))
    let behind = begin(.sound(of: "a"))
    #expect(await eventually { load.isReached && replacement.isReached })
    load.open()
    try await Task.sleep(for: .milliseconds(20))
    #expect(!behind.isReached)
    replacement.open()
    #expect(await eventually { behind.isReached })
    behind.open()
    await late.finish()
  }

  /// With any claims, all changes end, and no two hold the same claim at once.
  @Test(arguments: [1, 2, 3]) func randomClaimsNeverMeetAndNeverWaitForEachOther(
    seed: UInt64
  ) async throws {
    var random = SeededRandom(seed: seed)
    let held = Mutex<[Claim: Int]>([:])
    let done = Atomic(0)
    let clashes = Atomic(0)
    @Sendable func use(_ claims: Claims) async {
      let isAlone = held.withLock { held in
        for claim in claims.held { held[claim, default: 0] += 1 }
        return claims.held.allSatisfy { own in
          held[own] == 1
        }
      }
      if !isAlone { clashes.add(1, ordering: .relaxed) }
      await Task.yield()
      held.withLock { held in for claim in claims.held { held[claim, default: 0] -= 1 } }
    }
    let count = 900
    for number in 0..<count {
      let units = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        "\(Int.random(in: 0..<4, using: &random))"
      }
      let isSlow = Int.random(in: 0..<10, using: &random) == 0
      let kind = Int.random(in: 0..<6, using: &random)
      let first: [Claim] = kind == 0 ? [.history] : kind == 3 ? [.file] : []
      late.begin("\(number)", Claims(Set(first))) { [late] in
        let claims =
          switch kind {
          case 1: Claims.sound(of: units[0])
          case 2, 3: Claims(Set(units.flatMap { [.unit($0), .sound($0)] }))
          default: Claims(Set(units.map { .unit($0) }))
          }
        await late.holding(claims) {
          await use(claims)
          if isSlow { try? await Task.sleep(for: .milliseconds(1)) }
          await late.holding(Claims([.structure])) { await use(Claims([.structure])) }
        }
        done.add(1, ordering: .relaxed)
      }
    }
    await late.finish()
    #expect(done.load(ordering: .relaxed) == count)
    #expect(clashes.load(ordering: .relaxed) == 0)
  }

  /// A change that waits for a file keeps its thread, and others have theirs.
  @Test func workThatBlocksLeavesOthersTheirThreads() async throws {
    let end = DispatchSemaphore(value: 0)
    let blocked = Atomic(0)
    for _ in 0..<LateWork.mostThreads - 1 {
      late.begin("blocked", .none) {
        blocked.add(1, ordering: .relaxed)
        end.wait()
      }
    }
    #expect(await eventually { blocked.load(ordering: .relaxed) == LateWork.mostThreads - 1 })
    let gate = begin(.none)
    #expect(await eventually { gate.isReached })
    gate.open()
    for _ in 0..<LateWork.mostThreads - 1 { end.signal() }
    await late.finish()
  }

  /// An idle thread takes the next change.
  @Test func workInSequenceNeedsFewThreads() async throws {
    let threads = Mutex<Set<pthread_t>>([])
    for _ in 0..<4 * LateWork.mostThreads {
      late.begin("a thread", .none) {
        let own = pthread_self()
        threads.withLock { _ = $0.insert(own) }
      }
      await late.finish()
      // The thread is about to be idle.
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(threads.withLock { $0.count } < LateWork.mostThreads / 2)
  }
}
