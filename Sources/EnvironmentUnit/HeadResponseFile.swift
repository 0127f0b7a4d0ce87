// Head-related impulse responses in a SOFA file.

import CMysofa
public import DSP
import Files
import FoundationEssentials
import Glibc
import Synchronization

/// The reason why a SOFA file was refused.
///
/// - Thread: [any]
public struct HeadResponseError: Error, Hashable, Sendable, CustomStringConvertible {
  public let path: String
  /// The reason, such as "it is no SOFA file".
  public let reason: String

  public var description: String {
    "\(path): \(reason); accepted: a SOFA file with impulse responses of two ears (AES69, "
      + "SimpleFreeFieldHRIR)"
  }
}

/// The responses of a SOFA file: one of each ear for each measured direction.
///
/// - Thread: [any]
public struct HeadResponseFile: Sendable {
  public let path: String
  public let sampleRate: Double
  public let measurements: [HeadMeasurement]

  /// The path of the responses of a KEMAR manikin, shipped with libmysofa.
  public static let defaultPath = "/usr/share/libmysofa/default.sofa"
  /// The most directions of a file, and the most frames of a response.
  static let mostMeasurements = 100_000
  static let mostFrames = 1 << 20

  /// Reads a file.
  /// - Throws: `HeadResponseError`, with the file and the reason.
  /// - Thread: [control]
  public init(path: String) throws(HeadResponseError) {
    func error(_ reason: String) -> HeadResponseError {
      HeadResponseError(path: path, reason: reason)
    }
    let opened: OpenFile
    do throws(SystemError) { opened = try OpenFile(path, isRegular: true) } catch {
      throw HeadResponseError(path: path, reason: "\(error)")
    }
    var code: Int32 = 0
    // The open file, even if its name belongs to another by now. From memory libmysofa would read
    // beyond the end of truncated files.
    let loaded = withExtendedLifetime(opened) {
      mysofa_load("/proc/self/fd/\(opened.descriptor)", &code)
    }
    guard let file = loaded else { throw error(Self.reason(code)) }
    defer { mysofa_free(file) }
    let status = mysofa_check(file)
    guard status == Int32(MYSOFA_OK) else { throw error(Self.reason(status)) }
    mysofa_tocartesian(file)
    let (count, frames) = (Int(file.pointee.M), Int(file.pointee.N))
    guard (1...Self.mostMeasurements).contains(count) else {
      throw error("it has \(count) directions, and 1 to \(Self.mostMeasurements) are read")
    }
    guard (1...Self.mostFrames).contains(frames), count * frames <= 1 << 27 else {
      throw error("its responses have \(frames) frames each, which is too much")
    }
    guard file.pointee.R == 2, let data = Self.array(file.pointee.DataIR, 2 * count * frames),
      let positions = Self.array(file.pointee.SourcePosition, 3 * count),
      let rate = Self.array(file.pointee.DataSamplingRate, 1)?.first
    else { throw error("it has not what it says") }
    guard (1000...1_536_000).contains(rate) else {
      throw error("its sample rate is \(rate) Hz")
    }
    guard data.allSatisfy(\.isFinite), data.contains(where: { $0 != 0 }),
      positions.allSatisfy(\.isFinite)
    else { throw error("it has values that are no sound") }
    let delays =
      Self.array(file.pointee.DataDelay, 2 * count)
      ?? Self.array(file.pointee.DataDelay, 2) ?? [0, 0]
    guard delays.allSatisfy({ $0 >= 0 && $0 < Float(Self.mostFrames) }) else {
      throw error("it has delays that are none")
    }
    var measurements: [HeadMeasurement] = []
    for index in 0..<count {
      // SOFA: x to the front, y to the left, z up.
      let direction = SpatialVector(
        x: -Double(positions[3 * index + 1]), y: Double(positions[3 * index + 2]),
        z: -Double(positions[3 * index]))
      guard direction.length > 1e-6 else { throw error("a direction of it leads nowhere") }
      let first = 2 * index * frames
      let delay = delays.count == 2 ? 0 : 2 * index
      measurements.append(
        HeadMeasurement(
          direction: direction,
          ears: [
            Array(data[first..<first + frames]), Array(data[first + frames..<first + 2 * frames]),
          ],
          delays: [Double(delays[delay]), Double(delays[delay + 1])]))
    }
    self.path = path
    sampleRate = Double(rate)
    self.measurements = measurements
  }

  private static func array(_ array: MYSOFA_ARRAY, _ count: Int) -> [Float]? {
    guard let values = array.values, Int(array.elements) >= count else { return nil }
    return Array(UnsafeBufferPointer(start: values, count: count))
  }

  private static func reason(_ code: Int32) -> String {
    if code > 0 && code < 10_000 { return "\(SystemError(number: code))" }
    switch code {
    case 10_000: return "it is no SOFA file"
    case 10_001: return "it is in a form of HDF5 that libmysofa does not read"
    case 10_002: return "there is not memory enough"
    case 10_003: return "it cannot be read to its end"
    case 10_004: return "it is of another SOFA convention"
    case 10_005, 10_006: return "its dimensions are not those of responses of two ears"
    case 10_007: return "its coordinates are of an unknown kind"
    case 10_010: return "it has more than one sample rate"
    default: return "libmysofa refuses it (error \(code))"
    }
  }
}

/// A cache of the last responses made for a file and rate: making them takes a tenth of a second.
enum HeadResponseCache {
  private struct Entry: Sendable {
    let path: String
    let changed: Date?
    let sampleRate: Double
    let responses: HeadResponses
  }

  private static let entries = Mutex<[Entry]>([])
  private static let capacity = 3

  /// Returns the responses of a file, at a sample rate.
  /// - Thread: [control]
  static func responses(
    path: String, sampleRate: Double
  ) throws(HeadResponseError) -> HeadResponses {
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    let changed = attributes?[.modificationDate] as? Date
    let known = entries.withLock { entries in
      entries.first {
        $0.path == path && $0.changed == changed && $0.sampleRate == sampleRate
      }?.responses
    }
    if let known { return known }
    let file = try HeadResponseFile(path: path)
    let made = HeadResponses(
      file.measurements, measuredRate: file.sampleRate, sampleRate: sampleRate)
    entries.withLock { entries in
      entries.append(
        Entry(path: path, changed: changed, sampleRate: sampleRate, responses: made))
      if entries.count > capacity { entries.removeFirst() }
    }
    return made
  }
}
