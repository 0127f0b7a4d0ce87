// A JACK backend inside the test process, with units of the test's own.

import Graph
import JackBackend
import TestSupport
import UnitModel

/// A graph that renders on a test's server until this object goes.
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

  /// A graph of one unit.
  convenience init(_ unit: AudioUnit, id: String, on server: JackServer) throws {
    let graph = Graph()
    try graph.add(unit, id: id)
    try self.init(graph, on: server)
  }
}
