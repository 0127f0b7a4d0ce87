// Plays the streams that cost most per cycle, and counts each important cycle with callgrind:
//
//   valgrind --tool=callgrind --instr-atstart=no WorstCycles FONT [STREAM]
//
// The flood arrives in the first of these cycles, deferred events are handled in the others.

import CCounting
import Foundation
import WorstStreams

let countedCycles = 8

@Sendable func play(_ kind: WorstRig.Kind, _ font: URL, _ streams: [WorstStream]) async throws {
  let rig = try await WorstRig(kind, soundFont: font)
  for stream in streams {
    let counted = WorstStream.floodCycle..<WorstStream.floodCycle + countedCycles
    for (index, messages) in stream.cycles.prefix(counted.upperBound).enumerated() {
      if counted.contains(index) { countingBegin() }
      rig.cycle(messages)
      if counted.contains(index) { countingEnd(stream.name) }
    }
    rig.rest()
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 2 || arguments.count == 3, countingIsPossible() != 0 else {
  FileHandle.standardError.write(
    Data("run it by scripts/worst_streams.py, with valgrind and its headers installed\n".utf8))
  exit(2)
}
let font = URL(fileURLWithPath: arguments[1])
let wanted = WorstStream.known.filter { arguments.count == 2 || $0.name == arguments[2] }
// An asynchronous main ends the first thread, which valgrind does not survive.
let end = DispatchSemaphore(value: 0)
Task.detached {
  do {
    for kind in WorstRig.Kind.allCases {
      let streams = wanted.filter { $0.rig == kind }
      if !streams.isEmpty { try await play(kind, font, streams) }
    }
  } catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
  }
  end.signal()
}
end.wait()
