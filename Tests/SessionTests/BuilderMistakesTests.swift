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
    try await problems(text).map(\.location.line)
  }

  private func problems(_ text: String) async throws -> [ConfigurationProblem] {
    let file = try directory.write(text, to: "session.toml")
    let builder = SessionBuilder(registry: try BuiltInComponents.makeRegistry())
    do throws(ConfigurationError) {
      _ = try await builder.build(contentsOf: file)
      return []
    } catch { return error.problems }
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

  /// Problems of the file's form, of several units and of a unit whose form is right.
  @Test func formAndUnitsTellTheirsTogether() async throws {
    let problems = try await problems(
      """
      [client]
      nam = "x"
      [[unit]]
      id = "a"
      component = "filter"
      parameters = { cutoff = "3 parsec", foo = 1 }
      [[unit]]
      id = "b"
      component = "filter"
      bypas = true
      [[unit]]
      id = "b"
      component = "smpler"
      [[unit]]
      id = "c"
      component = "filter"
      soundfont = "absent.sf2"
      preset = "No"
      parameters = { cutoff = 1e9, cutof = 1 }
      [[connect]]
      from = "c"
      to = "nobody"
      """)
    #expect(problems.map(\.location.line) == [2, 6, 6, 10, 12, 13, 17, 18, 19, 19, 22])
    #expect(problems.contains { $0.message.contains("did you mean 'sampler'?") })
    // The keys of other kinds of units are no help.
    let key = try #require(problems.first { $0.message.contains("'bypas'") })
    #expect(key.accepted?.contains("soundfont") == false && key.message.contains("'bypass'?"))
  }

  /// A value that is missing because of its own problem causes no other one.
  @Test func aUnitWithoutItsFormTellsNothingElse() async throws {
    #expect(
      try await lines(
        """
        [[unit]]
        id = "a"
        component = "recorder"
        file = 3
        """) == [4])
  }

  @Test func everyConnectionMappingAndSceneTellsItsOwn() async throws {
    #expect(
      try await lines(
        """
        [[unit]]
        id = "a"
        component = "filter"
        [[unit]]
        id = "b"
        component = "filter"
        [[connect]]
        from = "a"
        to = "b"
        [[connect]]
        from = "a:7"
        to = "physical:outputs"
        [[connect]]
        from = "b"
        to = "a:8"
        [[map]]
        controller = 7
        parameter = "a/cutof"
        [[map]]
        controller = 8
        parameter = "a/cutoff"
        [[map]]
        controller = 9
        parameter = "c/cutoff"
        [[scene]]
        name = "Dark"
        parameters = { a.cutof = 3 }
        [[scene]]
        name = "Bright"
        parameters = { b.cutof = 3 }
        """
      ).sorted() == [11, 15, 18, 24, 27, 30])
  }

  /// Two connections that are each right make a loop.
  @Test func aProblemOfAllConnectionsIsToldOnce() async throws {
    #expect(
      try await lines(
        """
        [[unit]]
        id = "a"
        component = "filter"
        [[unit]]
        id = "b"
        component = "filter"
        [[connect]]
        from = "a"
        to = "b"
        [[connect]]
        from = "b"
        to = "a"
        """
      ).count == 1)
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
