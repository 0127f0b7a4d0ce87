// Saves a session repeatedly until it is killed, each time with another value, in the file and in a
// state next to it.

import BuiltInUnits
import Foundation
import Session
import SessionModel
import UnitModel

let file = URL(fileURLWithPath: CommandLine.arguments[1])
let plan = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry())
  .build(contentsOf: file)
let store = SessionStore(plan.origin)
let unit = plan.graph.nodes[0].unit
let cutoff = unit.parameterTree.parameter(keyPath: "cutoff")!
FileHandle.standardOutput.write(Data("saving\n".utf8))
while true {
  cutoff.value = cutoff.value < 10_000 ? cutoff.value + 1 : 100
  var document = plan.document
  document.states = [plan.graph.nodes[0].id: unit.fullStateForDocument]
  _ = try store.save(document, to: nil)
}
