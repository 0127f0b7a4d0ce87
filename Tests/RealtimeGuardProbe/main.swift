// A JACK client whose unit breaks the rules of the render side.
//
//   RealtimeGuardProbe SERVER [--behaved]               allocates; RealtimeSanitizer reports it
//   RealtimeGuardProbe SERVER --restricted [--behaved]  makes a system call; the kernel ends it
//   RealtimeGuardProbe SERVER [--shared] --music FONT   renders all units on a restricted thread
//
// With --shared two threads render. With --behaved, or without a guard, it prints "survived" after
// some cycles.

import Effects
import Foundation
import Graph
import JackBackend
import MIDIEffectUnit
import MIDIStages
import SamplerUnit

let server = CommandLine.arguments[1]
let options = CommandLine.arguments.dropFirst(2)
let isBehaved = options.contains("--behaved") || options.contains("--music")
let isRestricted = options.contains("--restricted") || options.contains("--music")
let conduct = Conduct(
  bytes: isBehaved || isRestricted ? 0 : 64, makesSystemCalls: isRestricted && !isBehaved,
  restrictsThread: isRestricted)
let backend = JackBackend(
  client: try JackClient(name: "probe", server: server),
  secondCore: options.contains("--shared") ? .always : .never)
let graph = Graph()
// Rendered first, so that it restricts the thread before the others render.
try graph.add(try AllocatingUnit(conduct), id: "unit")
let music = try await options.contains("--music") ? Music(font: options.last!, graph) : nil
let compiled = try graph.compile(backend.compileOptions())
// The meters run, as while they are watched.
compiled.schedule.meters.isOn = true
try backend.start(compiled)
if let music { try music.play() }
let cycles = backend.statistics.cycles + 10
while backend.statistics.cycles < cycles { usleep(1000) }
backend.stop()
print("survived")
