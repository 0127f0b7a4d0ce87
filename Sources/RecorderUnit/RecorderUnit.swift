// The recorder's control side.

public import Foundation
public import MediaFiles
import Realtime
import Synchronization
public import UnitModel
import UnitRender

/// Passes its input on and records it to files, from one frame to another.
///
/// Each take is a new file beside those that are there: `take.wav`, `take-2.wav`. It grows while it
/// is recorded, and stays but for its last second if the program or the machine ends. As long as
/// the disk stands still, up to ten seconds of sound wait for it; what is more is silence in the
/// file, so that the rest is in time, and is told.
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

  private let target = Mutex<(url: URL, format: AudioFileFormat)?>(nil)
  private let desk: RecorderDesk
  private let buffer: Double

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
    desk = RecorderDesk(writesByItself: writesByItself)
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

  deinit { desk.close() }

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
    let line = try CaptureLine(
      channelCount: bus.channelCount, frames: Int(buffer * bus.sampleRate))
    desk.begin { news in
      Takes(line, url: url, format: format, sampleRate: bus.sampleRate, news: news)
    }
    return RenderResources(
      RecorderKernel(line, values: parameterValues, sampleRate: bus.sampleRate), for: self,
      render: recorderRender, reset: recorderReset)
  }

  /// Writes what has been recorded and completes the file. What is recorded on from here goes into
  /// another one.
  ///
  /// - Thread: [control]
  public func finish() { desk.finish() }
}

extension RecorderUnit: ReportingUnit {
  public func takeNews() -> [UnitNews] { desk.takeNews() }
}

extension RecorderUnit: OfflineServing {
  public func serveOffline() { desk.drain() }
}

extension RecorderUnit: Finishing {}
