// A player, run as by a host.

import MediaFiles
import Players
import Realtime
import Synchronization
import TestSupport
import UnitHost
import UnitModel
import UnitTestSupport

/// A player with its host, and the reports it has sent.
final class PlayerRig {
  let player: ScheduledPlayerUnit
  let host: DirectHost
  private(set) var output: [[Float]]
  let reports = Reports()

  /// - Parameter fade: the length of fades in milliseconds.
  init(channels: Int = 1, sampleRate: Double = 48_000, fade: Float = 0) throws {
    player = try ScheduledPlayerUnit(channels: channels)
    try player.parameterTree.parameter(keyPath: "fade")!.setValue(fade)
    try player.allocate(channels: channels, sampleRate: sampleRate)
    host = try DirectHost(player)
    output = [[Float]](repeating: [], count: channels)
  }

  /// Renders cycles until the output has `frames` frames.
  func render(to frames: Int, periods: Periods = .fixed(256)) throws {
    for length in periods.lengths(frames: frames - output[0].count) {
      let cycle = try host.render(length)[0]
      for channel in output.indices { output[channel] += cycle[channel] }
    }
  }

  /// Schedules noise, and returns its samples.
  @discardableResult
  func schedule(
    _ frames: Int, seed: UInt64 = 1, at time: Int? = nil, _ options: ScheduleOptions = [],
    name: String = "", reporting stages: PlaybackStages = []
  ) throws -> [Float] {
    let noise = Signal.noise(frames: frames, seed: seed)
    try player.schedule(
      try AudioClip([noise], sampleRate: 48_000),
      at: time.map { PlayerTime(sampleTime: $0, sampleRate: 48_000) }, options: options,
      reporting: stages, reports.handler(name))
    return noise
  }
}

/// Reports of players, in order.
final class Reports: Sendable {
  struct Named: Equatable, Sendable {
    var name: String
    var report: PlaybackReport
  }

  private let list = Mutex<[Named]>([])

  var all: [Named] { list.withLock { $0 } }

  func handler(_ name: String) -> PlaybackHandler {
    { [self] report in list.withLock { $0.append(Named(name: name, report: report)) } }
  }

  /// Returns the reports once there are `count` of them, or after a long time.
  func wait(for count: Int) async -> [Named] {
    _ = await eventually { all.count >= count }
    return all
  }
}

/// Returns silence of `frames` frames.
func silence(_ frames: Int) -> [Float] { Signal.silence(frames: frames) }
