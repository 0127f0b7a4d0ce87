// A mailbox for structures: the render side sees complete ones, and each is returned once.

import Foundation
import Realtime
import Synchronization
import Testing

@Suite struct PublishedPointerTests {
  /// Returns memory with a number and its complement, so that a torn or freed structure shows.
  static func make(_ number: Int) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutablePointer<SIMD2<Int>>.allocate(capacity: 1)
    memory.initialize(to: SIMD2(number, ~number))
    return UnsafeMutableRawPointer(memory)
  }

  static func number(in pointer: UnsafeMutableRawPointer) -> Int? {
    let pair = pointer.load(as: SIMD2<Int>.self)
    return pair.y == ~pair.x ? pair.x : nil
  }

  @Test func anUntakenPointerReturnsToThePublisher() {
    let mailbox = PublishedPointer()
    defer { mailbox.deallocate() }
    let (first, second) = (Self.make(1), Self.make(2))
    #expect(mailbox.publish(first) == nil)
    #expect(mailbox.publish(second) == first)
    #expect(mailbox.withdraw() == second)
    #expect(mailbox.take(retiring: nil) == nil)
    first.deallocate()
    second.deallocate()
  }

  @Test func nothingIsTakenWithoutRoomForTheRetiredPointer() {
    let mailbox = PublishedPointer(retireCapacity: 1)
    defer { mailbox.deallocate() }
    let pointers = (0..<3).map(Self.make)
    defer { for pointer in pointers { pointer.deallocate() } }
    _ = mailbox.publish(pointers[0])
    #expect(mailbox.take(retiring: nil) == pointers[0])
    _ = mailbox.publish(pointers[1])
    #expect(mailbox.take(retiring: pointers[0]) == pointers[1])
    _ = mailbox.publish(pointers[2])
    #expect(mailbox.take(retiring: pointers[1]) == nil)
    #expect(mailbox.collect() == pointers[0])
    #expect(mailbox.take(retiring: pointers[1]) == pointers[2])
    #expect(mailbox.collect() == pointers[1])
  }

  @Test func twoThreadsSeeWholeStructuresAndEveryOneComesBackOnce() {
    let mailbox = PublishedPointer(retireCapacity: 4)
    defer { mailbox.deallocate() }
    let total = 20_000
    let isDone = Flag()
    let faults = Flag()
    let last = Handle()
    let renderer = Thread {
      var current: UnsafeMutableRawPointer?
      var newest = -1
      while !isDone.isRaised || mailbox.isPending {
        if let new = mailbox.take(retiring: current) { current = new }
        guard let current else { continue }
        guard let number = Self.number(in: current), number >= newest else {
          faults.raise()
          break
        }
        newest = number
      }
      last.finish(with: current)
    }
    renderer.start()
    var returned = Set<UInt>()
    var freed = 0
    for number in 0..<total {
      if let old = mailbox.publish(Self.make(number)) {
        old.deallocate()
        freed += 1
      }
      while let old = mailbox.collect() {
        // It must still be complete: nothing has freed it before.
        if Self.number(in: old) == nil { faults.raise() }
        old.deallocate()
        freed += 1
      }
    }
    isDone.raise()
    while !last.isFinished {
      while let old = mailbox.collect() {
        old.deallocate()
        freed += 1
      }
      usleep(100)
    }
    while let old = mailbox.collect() {
      returned.insert(UInt(bitPattern: old))
      old.deallocate()
      freed += 1
    }
    #expect(!faults.isRaised)
    if let current = last.pointer {
      #expect(!returned.contains(UInt(bitPattern: current)))
      current.deallocate()
      freed += 1
    }
    #expect(freed == total)
  }
}

/// A flag between threads.
private final class Flag: Sendable {
  private let flag = Atomic(false)
  var isRaised: Bool { flag.load(ordering: .acquiring) }
  func raise() { flag.store(true, ordering: .releasing) }
}

/// The pointer that a thread hands over when it finishes.
private final class Handle: Sendable {
  private let word = Atomic<UInt>(0)
  private let flag = Flag()
  var isFinished: Bool { flag.isRaised }
  var pointer: UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: word.load(ordering: .acquiring))
  }

  func finish(with pointer: UnsafeMutableRawPointer?) {
    word.store(UInt(bitPattern: pointer), ordering: .releasing)
    flag.raise()
  }
}
