// Events inserted right after others keep the list in order, and leave it fit for later insertions.

import Realtime
import Testing
import UnitRender

@Suite struct EventSpliceTests {
  func keys(_ list: RenderEventList) -> [UInt8] {
    var keys: [UInt8] = []
    var next = list.first
    while let event = next {
      keys.append(event.pointee.bytes.1)
      next = list.next(after: event)
    }
    return keys
  }

  func note(_ key: UInt8, at frame: FrameTime) -> RenderEvent { .midi(0x90, key, 1, at: frame) }

  @Test func standsRightBehindItsPredecessorOrBeforeAll() throws {
    let list = RenderEventList.allocate(events: 16, payload: 0)
    defer { list.deallocate() }
    let only = try #require(list.insert(note(1, at: 5), after: nil))
    #expect(list.insert(note(4, at: 5)) && list.insert(note(6, at: 9)))
    let second = try #require(list.insert(note(2, at: 5), after: only))
    #expect(list.insert(note(3, at: 5), after: second) != nil)
    #expect(list.insert(note(0, at: 5), after: nil) != nil)
    #expect(keys(list) == [0, 1, 2, 3, 4, 6])
    #expect(list.insert(note(5, at: 5)))
    #expect(keys(list) == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test func behindTheLastItIsTheLast() throws {
    let list = RenderEventList.allocate(events: 3, payload: 0)
    defer { list.deallocate() }
    #expect(list.insert(note(1, at: 5)))
    #expect(list.insert(note(2, at: 5), after: list.first) != nil)
    #expect(list.insert(note(3, at: 7)))
    #expect(keys(list) == [1, 2, 3])
  }

  @Test func aFullListRefusesAndCounts() {
    let list = RenderEventList.allocate(events: 1, payload: 0)
    defer { list.deallocate() }
    #expect(list.room == 1)
    #expect(list.insert(note(1, at: 5), after: nil) != nil)
    #expect(list.room == 0)
    #expect(list.insert(note(2, at: 5), after: list.first) == nil)
    #expect(list.header.pointee.droppedCount == 1 && keys(list) == [1])
  }
}
