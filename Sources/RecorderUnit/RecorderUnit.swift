// The recorder's control side.

public import FoundationEssentials
public import MediaFiles
public import Realtime
import Synchronization
public import UnitModel
import UnitRender

/// Passes its input on and records it to files, from one frame to another. With the name of a MIDI
/// file, `take.mid`, it records its MIDI instead, with the tempo of the host's transport.
///
/// Each take is a new file next to existing ones: `take.wav`, `take-2.wav`. The file grows during
/// recording; if the program or the machine ends, only its last second is lost. While the disk
/// stalls, up to ten seconds of sound are buffered. Frames beyond that become silence, so that the
/// rest is in time, and are reported. Frames that the server skipped become silence too. After more
/// than ten minutes of them another take begins. `take.wav.marks.txt` lists the silences of a take.
/// If a take's file cannot be written any more, the take ends and `recording` turns off.
public final class RecorderUnit: AudioUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .musicEffect, subtype: "rcrd", manufacturer: "Aurc"),
    name: "Recorder", shortName: "recorder", unitType: RecorderUnit.self, tags: ["Recorder"]
  ) { description, _ in
    try RecorderUnit(componentDescription: description)
  }

  /// Whether a take is wanted, 0 or 1; it begins and ends on its frame.
  @Parameter(identifier: "recording", name: "Recording", address: 0, range: 0...1, unit: .boolean)
  public var recording: Float = 0
  /// The moment at which a wanted take begins: at once, with the first note, or whenever the host's
  /// transport rolls.
  @Parameter(
    identifier: "start", name: "Start", address: 1, range: 0...2, unit: .indexed,
    valueStrings: ["At Once", "First Note", "Transport"])
  public var start: Float = 0
  /// Whether a take is running, 0 or 1.
  @Parameter(
    identifier: "running", name: "Running", address: 2, range: 0...1, unit: .boolean,
    flags: [.readable])
  public private(set) var running: Float = 0
  /// The length of the running or last take, in seconds.
  @Parameter(
    identifier: "time", name: "Time", address: 3, range: 0...1_000_000, unit: .seconds,
    flags: [.readable])
  public private(set) var time: Float = 0

  /// The most MIDI messages buffered for the disk; a System Exclusive one counts for each 24 bytes.
  public static let bufferMessages = 65_536

  /// Longest sound buffered for the disk, in seconds.
  public static let bufferSeconds = 10.0

  let target = Mutex<(url: URL, format: TakeFormat)?>(nil)
  private let worker: RecorderWorker
  private let buffer: Double
  private let waiting = Atomic(0)
  /// Counter of the host's pauses, for the render side.
  private let pauses = AtomicCounters(count: 1)

  /// Makes a recorder without a file without render resources.
  ///
  /// - Throws: `ParameterTreeError`, `BusError`.
  /// - Thread: [control]
  public convenience init(
    componentDescription: ComponentDescription = RecorderUnit.component.description
  ) throws {
    try self.init(
      componentDescription, bufferSeconds: Self.bufferSeconds, writesByItself: true)
  }

  /// - Parameter writesByItself: whether a separate thread writes; otherwise the caller of
  ///   `serveOffline`.
  init(
    _ componentDescription: ComponentDescription, bufferSeconds: Double, writesByItself: Bool
  ) throws {
    buffer = bufferSeconds
    worker = RecorderWorker(writesByItself: writesByItself)
    try super.init(
      componentDescription: componentDescription,
      inputBusses: BusArray(.input, [Bus(.input, name: "Input")]),
      outputBusses: BusArray(.output, [Bus(.output, name: "Output")]),
      parameterTree: ParameterTree(children: [_recording, _start, _running, _time]))
  }

  deinit {
    worker.close()
    pauses.deallocate()
  }

  /// Sets the file of takes, from the next allocation of resources on.
  ///
  /// - Parameters:
  ///   - url: the file of the first take.
  ///   - encoding: of samples; nil for the default of the file's format.
  /// - Throws: `AudioFileError` if the name implies no format, or the format lacks the encoding.
  /// - Thread: [control]
  public func setTarget(
    _ url: URL, encoding: AudioFileFormat.Encoding? = nil
  ) throws(AudioFileError) {
    let format = try TakeFormat(fileName: url.lastPathComponent, encoding: encoding)
    target.withLock { $0 = (url, format) }
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    guard let (url, format) = target.withLock({ $0 }) else {
      throw .failed("the recorder has no file to record to")
    }
    let bus = inputBusses[0].format
    let isMIDI = format == .midi
    let line = try CaptureRing(
      channelCount: isMIDI ? 0 : bus.channelCount,
      frames: Int(buffer * bus.sampleRate))
    let midi = CapturedMIDIRing(capacity: isMIDI ? Self.bufferMessages : 1)
    waiting.store(isMIDI ? midi.byteCount : line.byteCount, ordering: .relaxed)
    worker.begin { news in
      Takes(
        line, CapturedMIDIReader(midi), url: url, format: format, sampleRate: bus.sampleRate,
        news: news)
    }
    return RenderResources(
      RecorderKernel(
        line, MIDICapture(midi, isOn: isMIDI), channelCount: bus.channelCount,
        values: parameterValues, pauses: pauses,
        sampleRate: bus.sampleRate),
      for: self, render: recorderRender, reset: recorderReset)
  }

  /// Writes all captured frames and completes the file. The rest of a running take is dropped; the
  /// next take is another file.
  ///
  /// - Thread: [control]
  public func finish() { worker.finish() }

  /// The file of the current take; nil between takes.
  ///
  /// - Thread: [any]
  public var file: URL? { worker.news.file }

  /// Whether a take has ended because its file could not be written any more.
  ///
  /// - Thread: [any]
  public var hasFailed: Bool { worker.news.counts.failedTakes > 0 }

  /// Free bytes on the disk of the takes, read after each half second of written sound; nil before,
  /// or if the system does not say.
  ///
  /// - Thread: [any]
  public var freeBytes: Int? { worker.news.freeBytes }

  /// Returns the largest absolute sample written since the last call; 1 is full scale.
  ///
  /// - Thread: [any]
  public func takePeak() -> Float { worker.news.takePeak() }

  /// Count of notes in the current or last take; nil if takes are of sound.
  ///
  /// - Thread: [any]
  public var noteCount: Int? {
    target.withLock { $0?.format } == .midi ? worker.news.noteCount : nil
  }

  /// Marks a frame of the current take, in a file next to it; does nothing between takes.
  ///
  /// - Parameters:
  ///   - text: a line.
  ///   - frame: a frame time; the take's first frame if before the take.
  /// - Thread: [any]
  public func mark(_ text: String, at frame: FrameTime) { worker.news.mark(text, at: frame) }
}

extension RecorderUnit: ReportingUnit {
  public func takeNews() -> [UnitNotice] { worker.news.takeAll() }

  public var counts: [UnitCount] {
    let counts = worker.news.counts
    return [
      UnitCount(
        "frames of silence in takes, because the server skipped them", counts.skippedFrames),
      UnitCount(
        "frames of silence in takes, because the disk stood still", counts.lostFrames),
      UnitCount(
        "MIDI messages missing in takes, because the disk stood still", counts.lostMessages),
      UnitCount("takes that ended early, because of their file", counts.failedTakes),
    ]
  }
}

extension RecorderUnit: PausingUnit {
  /// Continues a take after a pause as if there had been none.
  ///
  /// - Thread: [control]
  public func endPause() { pauses.add(1, to: 0) }
}

extension RecorderUnit: OfflineServing {
  public func serveOffline() { worker.drain() }
}

extension RecorderUnit: Finishing {}

extension RecorderUnit: MemoryHolding {
  /// Memory of the sound or MIDI buffered for the disk.
  public var heldMemory: [HeldMemory] {
    [HeldMemory(.sounds, byteCount: waiting.load(ordering: .relaxed))]
  }
}
