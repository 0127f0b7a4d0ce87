// The journal of a session.

import Testing

@testable import Session
@testable import SessionModel

@Suite struct JournalTests {
  @Test func theJournalIsBoundedAndCountsForgottenChanges() {
    let journal = SessionJournal()
    let (capacity, most) = (SessionJournal.capacity, SessionJournal.maximumReported)
    for number in 0..<capacity + 10 {
      journal.add("change \(number)", path: "a", .known(Int64(number * 10)), time: 0)
    }
    let last = journal.reading(since: nil)
    #expect(last.forgotten == 10 && last.changes.count == most)
    #expect(last.unreported == capacity - most)
    #expect(last.changes.last?.text == "change \(capacity + 9)")
    let since = journal.reading(since: 20_001)
    #expect(since.changes.first?.frame == 20_010)
    #expect(since.changes.count == most)
    let long = String(repeating: "x", count: 10_000)
    journal.add(long, path: long, .none, by: ChangeAuthor(.osc), time: 0)
    let entry = journal.reading(since: .max).changes.last
    #expect(entry?.frame == nil && entry?.source == .osc)
    #expect((entry?.text.count ?? .max) <= SessionJournal.maximumTextLength + 8)
  }

  @Test func framesOfAnotherServerAreOthers() {
    let journal = SessionJournal()
    journal.follow { SessionClock(frame: 512, period: 256, sampleRate: 48_000) }
    #expect(journal.next.number == 768)
    journal.add("first", path: "", journal.next, time: 0)
    journal.follow(nil)
    #expect(journal.next.number == nil)
    journal.add("between", path: "", journal.next, time: 0)
    journal.follow { SessionClock(frame: 0, period: 64, sampleRate: 48_000) }
    journal.add("second", path: "", journal.next, time: 0)
    #expect(journal.reading(since: nil).changes.map(\.server) == [0, 0, 1])
    #expect(journal.reading(since: 0).changes.map(\.text) == ["second"])
  }
}
