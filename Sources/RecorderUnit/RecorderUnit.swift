// The recorder's control side.

public import Foundation
public import MediaFiles
public import Realtime
import Synchronization
public import UnitModel
import UnitRender

/// Passes its input on and records it to files, from one frame to another.
///
/// Each take is a new file beside those that are there: `take.wav`, `take-2.wav`. It grows while it
/// is recorded, and stays but for its last second if the program or the machine ends. As long as
/// the disk stands still, up to ten seconds of sound wait for it; what is more is silence in the
/// file, so that the rest is in time, and is told. So are frames that no cycle had, because the
/// server skipped them; behind more than ten minutes of these, another take begins. Beside a take
/// with silence, `take.wav.marks.txt` says where it is. A take whose file can be written no more
/// ends, and `recording` is off then.
///
/// Parameters: `recording` begins a take, on its frame, or has it begin as `start` says: at once,
/// with the first note that comes, or whenever the host's transport rolls; `running` and `time` in
/// the take, in seconds, read-only.
public final class RecorderUnit: AudioUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .musicEffect, subtype: "rcrd", manufacturer: "Aurc"),
    name: "Recorder", shortName: "recorder", unitType: RecorderUnit.self
  ) { description, _ in
    try RecorderUnit(componentDescription: description)
  }

  public static let recordingAddress: ParameterAddress = 0
  public static let startAddress: ParameterAddress = 1
  public static let runningAddress: ParameterAddress = 2
  public static let timeAddress: ParameterAddress = 3

  /// How much sound waits for the disk at most, in seconds.
  public static let bufferSeconds = 10.0

  let target = Mutex<(url: URL, format: AudioFileFormat)?>(nil)
  private let worker: RecorderWorker
  private let buffer: Double
  private let waiting = Atomic(0)
  /// Counts the host's pauses, for the render side.
  private let pauses = AtomicCounters(count: 1)

  /// - Thread: [control]
  public convenience init(
    componentDescription: ComponentDescription = RecorderUnit.component.description
  ) throws {
    try self.init(
      componentDescription, bufferSeconds: Self.bufferSeconds, writesByItself: true)
  }

  /// - Parameter writesByItself: whether there is a thread that writes; otherwise whoever serves.
  init(
    _ componentDescription: ComponentDescription, bufferSeconds: Double, writesByItself: Bool
  ) throws {
    buffer = bufferSeconds
    worker = RecorderWorker(writesByItself: writesByItself)
    try super.init(
      componentDescription: componentDescription,
      inputBusses: BusArray(.input, [Bus(.input, name: "Input")]),
      outputBusses: BusArray(.output, [Bus(.output, name: "Output")]),
      parameterTree: ParameterTree(children: [
        Parameter(
          identifier: "recording", name: "Recording", address: Self.recordingAddress,
          range: 0...1, unit: .boolean),
        Parameter(
          identifier: "start", name: "Start", address: Self.startAddress, range: 0...2,
          unit: .indexed, valueStrings: ["At Once", "First Note", "Transport"]),
        Parameter(
          identifier: "running", name: "Running", address: Self.runningAddress, range: 0...1,
          unit: .boolean, flags: [.readable]),
        Parameter(
          identifier: "time", name: "Time", address: Self.timeAddress, range: 0...1_000_000,
          unit: .seconds, flags: [.readable]),
      ]))
  }

  deinit {
    worker.close()
    pauses.deallocate()
  }

  /// Says where takes go, from the next allocation of resources on.
  ///
  /// - Parameters:
  ///   - url: of the first take.
  ///   - encoding: nil for what is usual for the kind of file that the name says.
  /// - Throws: `AudioFileError` for a name that says no format, or one without the encoding.
  /// - Thread: [control]
  public func setTarget(
    _ url: URL, encoding: AudioFileFormat.Encoding? = nil
  ) throws(AudioFileError) {
    let format = try AudioFileFormat(fileName: url.lastPathComponent, encoding: encoding)
    target.withLock { $0 = (url, format) }
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    guard let (url, format) = target.withLock({ $0 }) else {
      throw .failed("the recorder has no file to record to")
    }
    let bus = inputBusses[0].format
    let line = try CaptureRing(
      channelCount: bus.channelCount, frames: Int(buffer * bus.sampleRate))
    waiting.store(line.byteCount, ordering: .relaxed)
    worker.begin { news in
      Takes(line, url: url, format: format, sampleRate: bus.sampleRate, news: news)
    }
    return RenderResources(
      RecorderKernel(
        line, values: parameterValues, pauses: pauses, sampleRate: bus.sampleRate),
      for: self, render: recorderRender, reset: recorderReset)
  }

  /// Writes what has been recorded and completes the file. What is recorded on from here goes into
  /// another one.
  ///
  /// - Thread: [control]
  public func finish() { worker.finish() }

  /// The file of the take that is written now, nil between takes.
  ///
  /// - Thread: [any]
  public var file: URL? { worker.news.file }

  /// Whether a take has ended because its file could be written no more.
  ///
  /// - Thread: [any]
  public var hasFailed: Bool { worker.news.counts.failedTakes > 0 }

  /// The bytes that the disk of the takes had left within the last half second of sound that was
  /// written; nil where the system does not say.
  ///
  /// - Thread: [any]
  public var freeBytes: Int? { worker.news.freeBytes }

  /// The largest absolute value of a sample that was written since the last call; 1 is full scale.
  ///
  /// - Thread: [any]
  public func takePeak() -> Float { worker.news.takePeak() }

  /// Marks a frame of the take that is written now, in a file beside it; nothing between takes.
  ///
  /// - Parameters:
  ///   - text: a line.
  ///   - frame: a frame time, taken for the take's nearest one.
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
      UnitCount("takes that ended early, because of their file", counts.failedTakes),
    ]
  }
}

extension RecorderUnit: PausingUnit {
  /// A take goes on behind a pause as if there had been none.
  ///
  /// - Thread: [control]
  public func endPause() { pauses.add(1, to: 0) }
}

extension RecorderUnit: OfflineServing {
  public func serveOffline() { worker.drain() }
}

extension RecorderUnit: Finishing {}

extension RecorderUnit: MemoryHolding {
  /// What it keeps for sound that waits for the disk.
  public var heldMemory: [HeldMemory] {
    [HeldMemory(.sounds, byteCount: waiting.load(ordering: .relaxed))]
  }
}
