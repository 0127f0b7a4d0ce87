// A JACK backend inside the test process, with units made by the test.

import Foundation
import Graph
import JackBackend
import TestSupport
import UnitModel

/// A graph that renders on a test's server until this object is released.
final class BackendRig {
  let backend: JackBackend
  let compiled: CompiledGraph

  init(_ graph: Graph, on server: JackServer, name: String = "auricle") throws {
    backend = JackBackend(client: try JackClient(name: name, server: server.name))
    compiled = try graph.compile(backend.compileOptions())
    try backend.start(compiled)
  }

  deinit {
    backend.stop()
    backend.client.close()
  }

  /// Moves on to other graphs, and waits until removed parts have faded out.
  ///
  /// - Returns: the first frame of the first graph.
  @discardableResult
  func follow(_ passages: [CompiledGraph], from startFrame: Int64? = nil) throws -> Int64? {
    try backend.begin(passages, from: startFrame) {}
    while true {
      if case .done(let frame) = try backend.advance() { return frame }
      usleep(500)
    }
  }

  /// A graph of one unit.
  convenience init(_ unit: AudioUnit, id: String, on server: JackServer) throws {
    let graph = Graph()
    try graph.add(unit, id: id)
    try self.init(graph, on: server)
  }
}
