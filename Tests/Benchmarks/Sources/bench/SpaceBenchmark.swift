// Reverb and chorus against the same mathematics as plain C loops.

import CBaseline
import DSP
import Glibc

/// Processes one channel of noise with both; each has two output channels.
final class SpaceBenchmark {
  static let frameCount = 256
  static let sampleRate = 48_000.0

  /// Voices of the chorus; nil for the reverb.
  private let voices: Int?
  private var reverb: Reverb
  private var chorus: Chorus
  private let baseline: OpaquePointer
  private let input: UnsafeMutablePointer<Float>
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>

  init(voices: Int?) {
    self.voices = voices
    var room = Reverb.Settings()
    room.decaySeconds = 1.5
    room.damping = 0.3
    room.width = 1
    room.level = 1
    reverb = Reverb(sampleRate: Self.sampleRate, settings: room)
    var settings = Chorus.Settings()
    settings.voices = voices ?? 0
    settings.level = 0.5
    settings.speedHertz = 0.8
    settings.depthMilliseconds = 3
    chorus = Chorus(sampleRate: Self.sampleRate, settings: settings)
    baseline = baselineRoomMake(1.5, 0.3, Self.sampleRate)
    input = .allocate(capacity: Self.frameCount)
    left = .allocate(capacity: Self.frameCount)
    right = .allocate(capacity: Self.frameCount)
    var random = SystemRandomNumberGenerator()
    for frame in 0..<Self.frameCount {
      (input + frame).initialize(to: Float.random(in: -0.5...0.5, using: &random))
    }
    left.initialize(repeating: 0, count: Self.frameCount)
    right.initialize(repeating: 0, count: Self.frameCount)
  }

  deinit {
    free(UnsafeMutableRawPointer(baseline))
    input.deallocate()
    left.deallocate()
    right.deallocate()
  }

  private func process() {
    if voices == nil {
      reverb.process(input: input, left: left, right: right, frameCount: Self.frameCount)
    } else {
      chorus.process(input: input, left: left, right: right, frameCount: Self.frameCount)
    }
  }

  private func processBaseline() {
    let count = Int32(Self.frameCount)
    if let voices {
      baselineChorus(
        baseline, Int32(voices), 144, 0.8 / Self.sampleRate, 1, input, left, right, count)
    } else {
      baselineReverb(baseline, input, left, right, count)
    }
  }

  /// The greatest difference between both outputs over 40 calls: they must do the same work.
  func difference() -> Float {
    var worst: Float = 0
    for _ in 0..<40 {
      process()
      let ours = [left, right].map {
        Array(UnsafeMutableBufferPointer(start: $0, count: Self.frameCount))
      }
      processBaseline()
      for frame in 0..<Self.frameCount {
        worst = max(worst, abs(ours[0][frame] - left[frame]), abs(ours[1][frame] - right[frame]))
      }
    }
    return worst
  }

  func measure() -> Comparison {
    .measure(
      units: Self.frameCount, repetitions: 101, calls: 10, ours: { process() },
      baseline: { processBaseline() })
  }
}
