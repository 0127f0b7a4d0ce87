import Dispatch
import Foundation
import Glibc
import Platform
import Synchronization
import Testing

@Suite struct ThreadTests {
  /// The calling thread's name in the kernel, which `top -H` shows.
  private static var ownName: String {
    let text = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    return text?.trimmed ?? ""
  }

  @Test func aThreadHasItsNameFromTheBeginning() {
    for _ in 0..<50 {
      let name = Mutex("")
      let done = DispatchSemaphore(value: 0)
      startThread("fifteen-letters") {
        name.withLock { $0 = Self.ownName }
        done.signal()
      }
      done.wait()
      #expect(name.withLock { $0 } == "fifteen-letters")
    }
  }

  @Test func aWorkThreadRunsUntilItsEnd() {
    let runs = Atomic(0)
    let thread = WorkThread("work", pause: 100) { runs.add(1, ordering: .relaxed) }
    while runs.load(ordering: .relaxed) < 3 { usleep(100) }
    thread.end()
    let last = runs.load(ordering: .relaxed)
    usleep(5000)
    #expect(runs.load(ordering: .relaxed) == last)
  }

  private final class Member: Sendable {
    let turns = Atomic(0)
    let most: Int
    init(most: Int) { self.most = most }

    func serve() -> Bool { turns.add(1, ordering: .relaxed).newValue < most }
  }

  @Test func aSharedWorkerServesItsMembersUntilTheyAreDone() {
    let names = Mutex<Set<String>>([])
    let worker = SharedWorker<Member>("members", pause: 100) { member in
      names.withLock { _ = $0.insert(Self.ownName) }
      return member.serve() ? .idle : .done
    }
    let members = [Member(most: 3), Member(most: 5)]
    func add(_ member: Member, upTo turns: Int) {
      worker.add(member)
      while member.turns.load(ordering: .relaxed) < turns { usleep(100) }
    }
    for member in members { add(member, upTo: member.most) }
    usleep(5000)
    #expect(members.map { $0.turns.load(ordering: .relaxed) } == [3, 5])
    // The thread has ended; a new one starts.
    add(members[0], upTo: 4)
    #expect(names.withLock { $0 } == ["members"])
  }

  @Test func aSharedWorkerKeepsNoMemberAlive() {
    let worker = SharedWorker<Member>("members", pause: 100) { _ in .idle }
    weak var kept: Member?
    do {
      let member = Member(most: 1)
      kept = member
      worker.add(member)
    }
    while kept != nil { usleep(100) }
  }
}
