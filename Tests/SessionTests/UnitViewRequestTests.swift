// Views of units, as a session tells them.

import Foundation
import SessionModel
import SessionTestSupport
import TestSupport
import Testing
import UnitModel
import UnitRender

/// A unit of a program, with a view of two sizes.
private final class ShownUnit: EffectUnit, ViewProviding, @unchecked Sendable {
  static let component = Component(.effect, "show", "Test", name: "Shown") { _ in
    try ShownUnit(
      componentDescription: ComponentDescription(
        type: .effect, subtype: "show", manufacturer: "Test"))
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    try RenderResources(channelsOf: self, process: passThrough)
  }

  func makeView() throws(UnitViewError) -> UnitView {
    if shouldBypassEffect { throw .failed("it has none while it is bypassed") }
    return try UnitView(files: ["index.html": Array("<p>ü</p>".utf8)])
  }

  func fits(_ configuration: ViewConfiguration) -> Bool { configuration.height > 200 }
}

@_noLocks @_noAllocation
private func passThrough(_ channel: ChannelCall) {
  for frame in 0..<channel.frameCount { channel.output[frame] = channel.input[frame] }
}

@Suite struct UnitViewRequestTests {
  private func run(_ directory: TemporaryDirectory) async throws -> SteppedSession {
    try await SteppedSession(
      directory.write(
        """
        [[unit]]
        id = "own"
        component = "shown"
        [[unit]]
        id = "tone"
        component = "tone"
        """, to: "session.toml"), components: [ShownUnit.component])
  }

  @Test func aViewIsToldWithTheSizesThatItFits() async throws {
    let directory = try TemporaryDirectory()
    let session = try await run(directory)
    #expect(try await session.units().map(\.hasView) == [true, false])
    let sizes = [100, 300, 200, 201].map {
      ViewConfiguration(width: 400, height: $0, hostHasController: true)
    }
    guard case .view(let view) = try await session.ask(.view(unit: "own", configurations: sizes))
    else { return #expect(Bool(false), "no view") }
    #expect(view.supported == [1, 3])
    #expect(view.files == ["index.html": Data("<p>ü</p>".utf8)])
    #expect(await session.end() == nil)
  }

  @Test func aUnitWithoutAViewSaysWhichHaveOne() async throws {
    let directory = try TemporaryDirectory()
    let session = try await run(directory)
    #expect(
      await session.refusal(.view(unit: "tone")) == "'tone' has no view of its own; accepted: own")
    let size = ViewConfiguration(width: 1, height: 1, hostHasController: false)
    #expect(
      await session.refusal(
        .view(unit: "own", configurations: Array(repeating: size, count: 33)))
        == "33 sizes of a view; accepted: up to 32")
    try await session.ask(.bypass(unit: "own", isOn: true))
    #expect(await session.refusal(.view(unit: "own")) == "it has none while it is bypassed")
    #expect(await session.end() == nil)
  }
}
