// Mistakes of a configuration, all at once.

import BuiltInUnits
import Configuration
import SessionModel
import TestSupport
import Testing

@Suite struct BuilderMistakesTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// The lines of a configuration's mistakes.
  private func lines(_ text: String) async throws -> [Int] {
    let file = try directory.write(text, to: "session.toml")
    let builder = SessionBuilder(registry: try BuiltInComponents.makeRegistry())
    do throws(ConfigurationError) {
      _ = try await builder.build(contentsOf: file)
      return []
    } catch { return error.problems.map(\.location.line) }
  }

  @Test func eachUnitTellsItsMistake() async throws {
    #expect(
      try await lines(
        """
        [[unit]]
        id = "a"
        component = "filtr"
        [[unit]]
        id = "right"
        component = "filter"
        [[unit]]
        id = "b"
        component = "filter"
        parameters = { cutof = 900.0 }
        [[unit]]
        id = "c"
        component = "filter"
        parameters = { cutoff = 1e9 }
        [[unit]]
        id = "d"
        component = "player"
        file = "absent.wav"
        """) == [3, 10, 14, 18])
  }

  @Test func connectionsMappingsAndScenesTellTheirs() async throws {
    #expect(
      try await lines(
        """
        [[unit]]
        id = "a"
        component = "filter"
        [[connect]]
        from = "a:7"
        to = "physical:outputs"
        [[map]]
        controller = 7
        parameter = "a/cutof"
        [[scene]]
        name = "Dark"
        parameters = { a.cutof = 3 }
        """) == [5, 9, 12])
  }
}
