// Loading a scene.

import Configuration
import SessionModel
import UnitModel

extension SessionControl {
  /// Sets everything in a scene: values, entries and bypasses at one frame. They follow a change of
  /// connections, or take effect with it at a given frame.
  ///
  /// A mistake in the scene changes nothing.
  ///
  /// - Parameter frame: the requested frame; nil, or a frame that has passed, for one that is soon.
  func load(
    _ scene: SceneConfiguration, at frame: Int64?
  ) throws(SessionCommandError) -> Outcome {
    if let frame {
      try check(frame: frame)
      let now = status().frame
      try EditFrame.check(max(frame, (now ?? 0) + 1), now: now, sampleRate: sampleRate)
    }
    let name = quoted(scene.name.value)
    try Self.located(scene) { () throws(ConfigurationProblem) in
      _ = try SceneTargets(scene, among: units)
    }
    let change = SceneChange(scene: scene, maker: maker, frame: frame)
    let (clock, late, time) = (clock, late, time)
    @Sendable func load() async throws -> Int64? {
      let (targets, start) = try await change.make()
      guard let start, let now = clock() else { return nil }
      // An undo must not take effect before it.
      let wait = Double(start - now.frame + Int64(now.period)) / now.sampleRate
      try await time.sleep(for: .seconds(max(0, wait)))
      for (_, unit, isOn) in targets.bypasses where unit.shouldBypassEffect != isOn {
        unit.settleBypass(isOn)
      }
      return start
    }
    let claims: Set<Claim> = frame.map { [.frame($0)] } ?? []
    return later("scene \(name)", Claims(claims)) {
      if let frame { try await EditFrame.wait(until: frame, clock, time) }
      let start = try await late.holding(Claims([.structure]), load)
      return start.map { .frame($0) } ?? .done
    }
  }

  private static func located(
    _ scene: SceneConfiguration, _ body: () throws(ConfigurationProblem) -> Void
  ) throws(SessionCommandError) {
    do throws(ConfigurationProblem) { try body() } catch {
      throw SessionCommandError(
        "scene \(quoted(scene.name.value)): \(error.message)", accepted: error.accepted)
    }
  }
}
