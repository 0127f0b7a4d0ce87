// Audio of units for those who look at it.

import Realtime
import Testing

@testable import UnitRender

@Suite struct AudioTapTests {
  /// A bus of 256 frames, each with its number: in the second channel negated.
  private final class Numbered {
    let region: RenderCallRegion
    private let samples: UnsafeMutablePointer<Float>
    private var next = 0

    init(channels: Int) {
      region = .allocate(inputChannels: [], outputChannels: [channels])
      samples = .allocate(capacity: 512)
      samples.initialize(repeating: 0, count: 512)
      for channel in 0..<min(channels, 2) {
        region.view.output(0)[channel] = samples + 256 * channel
      }
    }

    deinit {
      region.deallocate()
      samples.deallocate()
    }

    func write(_ count: Int, to tap: AudioTap) {
      for index in 0..<count {
        // Numbers that floats have exactly.
        let number = Float((next + index) & 0xFFFFF)
        (samples[index], samples[256 + index]) = (number, -number)
      }
      next += count
      tap.record(region.view.output(0), frameCount: count)
    }
  }

  private func latest(_ count: Int, of tap: AudioTap) -> (left: [Float], right: [Float])? {
    tap.frames(count, before: tap.frameCount)
  }

  @Test func theLatestFramesAreSeen() throws {
    let tap = AudioTap()
    defer { tap.deallocate() }
    let bus = Numbered(channels: 2)
    bus.write(99, to: tap)
    #expect(latest(100, of: tap) == nil && tap.frameCount == 99)
    bus.write(1, to: tap)
    #expect(try #require(latest(100, of: tap)).left == (0..<100).map { Float($0) })
    // Across the end of the memory, whatever the size of the pieces.
    for count in [256, 1, 255, 16, 100] {
      for _ in 0..<(2 * AudioTap.capacity / count) { bus.write(count, to: tap) }
      let end = tap.frameCount
      let seen = try #require(latest(AudioTap.mostFrames, of: tap))
      let expected = (end - AudioTap.mostFrames..<end).map { Float($0 & 0xFFFFF) }
      #expect(seen.left == expected && seen.right == expected.map { -$0 })
    }
  }

  @Test(arguments: [(0, 0), (1, 256), (3, 256)])
  func anyNumberOfChannelsIsTaken(_ channels: Int, _ count: Int) throws {
    let tap = AudioTap()
    defer { tap.deallocate() }
    Numbered(channels: channels).write(256, to: tap)
    #expect(tap.frameCount == count)
    guard let seen = latest(256, of: tap) else { return #expect(channels == 0) }
    #expect(seen.right == (channels == 1 ? seen.left : seen.left.map { -$0 }))
  }

  /// Frames that the render side wrote over meanwhile are never mixed with later ones.
  @Test func aLookIsWholeWhileTheRenderSideWrites() async {
    let tap = AudioTap()
    defer { tap.deallocate() }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        let bus = Numbered(channels: 2)
        while !Task.isCancelled { bus.write(256, to: tap) }
      }
      while tap.frameCount < AudioTap.mostFrames { await Task.yield() }
      var whole = 0
      for look in 0..<120 {
        // A long one is often written over, a short one seldom.
        guard let seen = latest(look % 2 == 0 ? 256 : AudioTap.mostFrames, of: tap) else {
          await Task.yield()
          continue
        }
        whole += 1
        let first = Int(seen.left[0])
        let isWhole = seen.left.indices.allSatisfy {
          seen.left[$0] == Float((first + $0) & 0xFFFFF) && seen.right[$0] == -seen.left[$0]
        }
        if !isWhole {
          Issue.record("torn at \(first)")
          break
        }
      }
      #expect(whole > 0)
      group.cancelAll()
    }
  }
}
