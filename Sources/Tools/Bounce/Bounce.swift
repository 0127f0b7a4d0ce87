// Rendering of a session plan to a file, without a JACK server.

import FoundationEssentials
import Graph
import GraphRender
import MediaFiles
import OfflineBackend
import Realtime
import SessionModel
import UnitModel

/// A bounce of a plan. The MIDI file plays every unit that would have a MIDI port. The outputs that
/// would be ports are written in the order of the configuration.
public struct Bounce {
  let plan: SessionPlan
  let options: BounceOptions
  let warn: (String) -> Void

  /// - Parameter warn: receives warnings, a line each, before rendering begins if possible.
  public init(
    _ plan: SessionPlan, _ options: BounceOptions, warn: @escaping (String) -> Void = { _ in }
  ) {
    self.plan = plan
    self.options = options
    self.warn = warn
  }

  /// Renders the whole file.
  /// - Parameters:
  ///   - progress: called after each second of audio.
  ///   - isCancelled: called after each period.
  /// - Thread: [control]
  public func run(
    progress: (BounceProgress) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws(BounceError) -> BounceResult {
    try checkOptions()
    try checkOutput()
    let format = try outputFormat
    let midi = try readMIDI()
    var input: BounceInput?
    if let url = options.input { input = try BounceInput(url) }
    guard midi != nil || input != nil || options.seconds != nil else { throw .nothingToPlay }
    let sampleRate = options.sampleRate ?? input?.sampleRate ?? BounceOptions.defaultSampleRate
    var cursor = MIDICursor(midi, sampleRate: sampleRate)
    let graph = try compile(for: cursor, sampleRate: sampleRate)
    try input?.connect(to: graph.ports, sampleRate: sampleRate)
    warnOfUnusedInput(midi, input, ports: graph.ports)

    var length = BounceLength(
      midiEnd: cursor.endFrame, tail: Int((options.tailSeconds * sampleRate).rounded()),
      inputEnd: input == nil ? 0 : nil,
      wanted: options.seconds.map { Int(($0 * sampleRate).rounded()) })
    let limit = Int((options.maximumSeconds * sampleRate).rounded())
    length.expectedInputEnd = try input?.measure(upTo: limit, isCancelled: isCancelled)
    if isCancelled() { throw .cancelled }
    let size = BounceSize(
      format: format, channels: graph.ports.audioOutputs.count, sampleRate: sampleRate)
    try checkLength(length, limit: limit, size, midi, input)

    let writer = try writer(format, sampleRate: sampleRate, channelCount: size.channels)
    let renderer = OfflineRenderer(graph, periodCapacity: options.period)
    let second = Int(sampleRate)
    while true {
      let start = Int(renderer.frame)
      let samples = try input?.next(options.period) ?? []
      length.inputEnd = length.inputEnd ?? input?.frameCount
      let count = min(options.period, (length.total ?? .max) - start)
      guard count > 0 else { break }
      // Catches false headers, and files that cannot be measured.
      guard start + count <= limit else { throw tooLong(length, limit: limit, size, midi, input) }
      let messages = cursor.messages(before: FrameTime(start + count))
      let output = renderer.render(
        frameCount: count, input: samples,
        midi: Array(repeating: messages, count: graph.ports.midiInputs.count),
        context: cursor.musicalContext(at: renderer.frame))
      try wrap(BounceError.audio) { () throws(AudioFileError) in try writer.write(output) }
      if isCancelled() { throw .cancelled }
      if start / second != (start + count) / second {
        progress(
          BounceProgress(
            seconds: Double(start + count) / sampleRate,
            totalSeconds: length.expectedTotal.map { Double($0) / sampleRate }))
      }
    }
    for node in plan.graph.nodes { (node.unit as? any Finishing)?.finish() }
    try wrap(BounceError.audio) { () throws(AudioFileError) in try writer.finish() }
    let result = BounceResult(
      frames: writer.frameCount, channels: size.channels, sampleRate: sampleRate, format: format,
      peak: writer.peak, refusedMIDI: renderer.refusedMIDI)
    warnOfResult(result, clippedSamples: writer.clippedSamples, input, ports: graph.ports)
    return result
  }

  private func writer(
    _ format: AudioFileFormat, sampleRate: Double, channelCount: Int
  ) throws(BounceError) -> AudioFileWriter {
    try wrap(BounceError.audio) { () throws(AudioFileError) in
      try AudioFileWriter(
        url: options.output, format: format, sampleRate: sampleRate, channelCount: channelCount,
        overwrites: options.overwrites)
    }
  }

  private func readMIDI() throws(BounceError) -> MIDIFile? {
    guard let url = options.midi else { return nil }
    let file = try wrap(BounceError.midi) { () throws(MIDIFileError) in
      try MIDIFile(contentsOf: url)
    }
    for remark in file.remarks { warn("\(url.relativePath): \(remark)") }
    return file
  }

  private func compile(
    for cursor: MIDICursor, sampleRate: Double
  ) throws(BounceError) -> CompiledGraph {
    let most = cursor.largestPeriod(options.period)
    let graph = try wrap(BounceError.graph) { () throws(GraphError) in
      try plan.graph.compile(
        CompileOptions(
          sampleRate: sampleRate, maximumFrames: min(options.period, 1024),
          // Longer bursts of a hostile file are refused and reported.
          midiEventsPerPort: min(max(4096, most.events), 1 << 18),
          midiBytesPerPort: min(max(65536, most.bytes), 1 << 24), isOffline: true,
          helper: RenderHelper(options.secondCore)))
    }
    guard !graph.ports.audioOutputs.isEmpty else { throw .noOutputs }
    return graph
  }
}
