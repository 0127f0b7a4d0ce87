// The tails of units removed from a session.

import Effects
import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct RingingSessionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let port = "echo_out_1"
  /// The tail of a delay of a quarter of a second without feedback, in frames.
  private static let tail = 12_000
  /// The fade of a removed connection, in frames.
  private static let fade = 128

  /// Starts a session of a sine and a delay of 12 000 frames.
  private func run() async throws -> SteppedSession {
    let file = try directory.write(
      """
      [[unit]]
      id = "tone"
      component = "tone"
      parameters = { playing = true }
      [[unit]]
      id = "echo"
      component = "delay"
      parameters = { delay = 0.25, feedback = 0, mix = 100 }
      [[connect]]
      from = "tone"
      to = "echo"
      """, to: "session.toml")
    let session = try await SteppedSession(file)
    await session.step(24_000)
    return session
  }

  /// Removes the delay, and lets two seconds pass.
  ///
  /// - Parameter wait: frames until the change, known in advance; nil for the next cycle.
  /// - Returns: the delay's output from the frame of the change on.
  private func rest(
    of session: SteppedSession, ringingOut: Bool, in wait: Int64? = nil
  ) async throws -> [Float] {
    let remove = SessionCommand.remove(unit: "echo", ringsOut: ringingOut)
    let start = session.frame
    let answer = try await session.ask(
      wait.map { .together([remove], frame: start + $0) } ?? remove)
    guard case .frame(let frame) = answer else { throw Missing() }
    await session.step(96_000)
    #expect(try await session.units().map(\.id) == ["tone"])
    return Array(session.audio(Self.port)[Int(frame)...])
  }

  private struct Missing: Error {}

  /// With and without advance notice of the change.
  @Test(arguments: [nil, 20_000, 40_000])
  func aUnitThatRingsOutStaysAsLongAsItsTail(in wait: Int64?) async throws {
    let session = try await run()
    let rest = try await rest(of: session, ringingOut: true, in: wait)
    let last = try #require(rest.lastIndex { abs($0) > 0.01 })
    #expect((Self.tail..<Self.tail + Self.fade).contains(last))
    // The unit is removed at a check after its end, which happens twenty times a second.
    #expect((Self.tail..<Self.tail + 2 * 2_400).contains(rest.count))
    #expect(await session.end() == nil)
  }

  @Test func aUnitThatRingsOutSoundsThroughOtherChanges() async throws {
    let (alone, changed) = (try await run(), try await run())
    let start = Int(alone.frame)
    for session in [alone, changed] {
      try await session.ask(.remove(unit: "echo", ringsOut: true))
    }
    for number in 0..<3 {
      try await changed.ask(.add(unit: "other\(number)", component: "filter"))
      await changed.step(480)
    }
    for session in [alone, changed] {
      await session.step(24_000)
      #expect(await session.end() == nil)
    }
    let tails = [alone, changed].map { $0.audio(Self.port)[start..<start + Self.tail] }
    #expect(tails[0].contains { abs($0) > 0.01 } && tails[0] == tails[1])
  }

  @Test func aUnitThatDoesNotIsGoneOnceItHasFaded() async throws {
    let session = try await run()
    let rest = try await rest(of: session, ringingOut: false)
    #expect(rest.count == Self.fade)
    #expect(await session.end() == nil)
  }

  @Test func aTailThatNeverEndsIsHeardForHalfAMinute() throws {
    let unit = try DelayUnit()
    #expect(RingingUnit.tailFrames(of: unit) > 0)
    try unit.parameterTree.parameter(keyPath: "feedback")?.setValue(100)
    #expect(RingingUnit.tailFrames(of: unit) == Int64(30 * unit.sampleRate))
  }
}
