// A graph built and played in code: a chord on the sampler, through a filter that opens.

import Auricle
import AuricleHost
import Foundation

@main
struct Program {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: PlayGraph FONT.sf2")
      exit(2)
    }
    let sampler = try SamplerUnit()
    try await sampler.load(soundFont: URL(fileURLWithPath: CommandLine.arguments[1]))
    let filter = try FilterUnit()
    filter.cutoff = 300

    let graph = Graph()
    let piano = try graph.add(sampler, id: "piano")
    let lowpass = try graph.add(filter, id: "lowpass")
    try graph.connect(GraphBus(unit: piano, bus: 0), to: GraphBus(unit: lowpass, bus: 0))

    // The JACK client has the graph's ports without internal connections: piano_midi_in,
    // lowpass_out_1 and lowpass_out_2.
    let client = try JackClient(name: "play-graph")
    let backend = JackBackend(client: client)
    let compiled = try graph.compile(backend.compileOptions())
    try backend.start(compiled)
    defer {
      backend.stop()
      client.close()
    }
    for port in 1...2 {
      try client.connect("\(client.name):lowpass_out_\(port)", to: "system:playback_\(port)")
    }

    let chord: [UInt8] = [48, 55, 60, 64]
    for key in chord { try sampler.scheduleMIDI([0x90, key, 100]) }
    try filter.scheduleParameter(filter.$cutoff.address, value: 8000, rampFrames: client.sampleRate)
    try await Task.sleep(for: .seconds(2))
    for key in chord { try sampler.scheduleMIDI([0x80, key, 0]) }
    try await Task.sleep(for: .seconds(1))
  }
}
