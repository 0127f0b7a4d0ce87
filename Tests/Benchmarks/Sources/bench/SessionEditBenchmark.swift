// Time a session takes to answer an edit of its structure.

import Foundation

/// Sessions on a private server: chains of eight filters between a tone and a mixer, edited over
/// the control socket.
struct SessionEditBenchmark {
  private static let chainLength = 8
  private static let edits: [(name: String, command: String)] = [
    ("disconnect", #"{"command":"disconnect","from":"f0_3","to":"f0_4"}"#),
    ("connect", #"{"command":"connect","from":"f0_3","to":"f0_4"}"#),
    ("add", #"{"command":"add","unit":"new","component":"filter","settings":[]}"#),
    ("remove", #"{"command":"remove","unit":"new"}"#),
    ("undo", #"{"command":"undo"}"#),
    ("redo", #"{"command":"redo"}"#),
  ]

  let programs: Programs
  private let rounds = 15

  init(auricle: URL) { programs = Programs(auricle: auricle) }

  /// Milliseconds from a command to its answer, sent once removed parts have faded out. The
  /// baseline is a session of one chain.
  func measure(period: Int, chains: Int) throws -> [(name: String, Comparison)] {
    let jackd = try programs.startServer(period: period)
    defer { programs.end(jackd) }
    let (small, large) = (try times(chains: 1), try times(chains: chains))
    return Self.edits.indices.map { edit in
      (
        Self.edits[edit].name,
        Comparison(medianOf: zip(large, small).map { ($0[edit], $1[edit]) })
      )
    }
  }

  /// Milliseconds of each edit, by round.
  private func times(chains: Int) throws -> [[Double]] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "auricle-edit-\(getpid())")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = folder.appendingPathComponent("edit.toml")
    try Data(Self.configuration(chains: chains).utf8).write(to: configuration)
    let session = try programs.start(
      programs.auricle.path, ["run", configuration.path, "--server", programs.server],
      environment: ["XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": folder.path])
    defer { programs.end(session) }
    let control = try ControlConnection(folder.appendingPathComponent("auricle/bench.sock").path)
    return try (0..<rounds).map { _ in
      try Self.edits.map { edit in
        let start = ContinuousClock.now
        _ = try control.ask(edit.command)
        return (ContinuousClock.now - start) / .milliseconds(1)
      }
    }
  }

  private static func configuration(chains: Int) -> String {
    var lines = ["[client]", "name = \"bench\""]
    func unit(_ id: String, _ component: String) {
      lines += ["[[unit]]", "id = \"\(id)\"", "component = \"\(component)\""]
    }
    func connect(_ from: String, _ to: String) {
      lines += ["[[connect]]", "from = \"\(from)\"", "to = \"\(to)\""]
    }
    unit("source", "tone")
    unit("mix", "mixer")
    lines.append("inputs = \(2 * chains)")
    for chain in 0..<chains {
      for place in 0..<chainLength { unit("f\(chain)_\(place)", "filter") }
      connect("source", "f\(chain)_0")
      for place in 1..<chainLength { connect("f\(chain)_\(place - 1)", "f\(chain)_\(place)") }
      connect("f\(chain)_\(chainLength - 1)", "mix")
    }
    return lines.joined(separator: "\n")
  }
}
