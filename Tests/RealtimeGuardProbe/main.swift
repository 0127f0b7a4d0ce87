// A JACK client whose unit breaks the rule of the render side: it allocates.
//
//   RealtimeGuardProbe SERVER [--behaved]
//
// Under RealtimeSanitizer it must be reported. With --behaved, or in any other build, it prints
// "survived" after some cycles.

import Foundation
import Graph
import JackBackend

let server = CommandLine.arguments[1]
let isBehaved = CommandLine.arguments.dropFirst(2).contains("--behaved")
let backend = JackBackend(client: try JackClient(name: "probe", server: server))
let graph = Graph()
try graph.add(try AllocatingUnit(isBehaved: isBehaved), id: "unit")
let compiled = try graph.compile(backend.compileOptions())
try backend.start(compiled)
while backend.statistics.cycles < 10 { usleep(1000) }
backend.stop()
print("survived")
