// Formats of audio files, for writing.

import CSndFile

/// A kind of audio file and its sample encoding.
///
/// - Thread: [any]
public struct AudioFileFormat: Sendable, Hashable {
  /// File types, chosen by the extension of a file's name.
  public enum Container: String, Sendable, CaseIterable {
    case wav, w64, flac, ogg, aiff, caf
  }

  /// Sample encodings.
  public enum Encoding: String, Sendable, CaseIterable {
    case int16 = "16"
    case int24 = "24"
    case int32 = "32"
    /// 32-bit float: samples unchanged, also beyond full scale.
    case float
    /// Lossy, with a variable bit rate (quality 6 of 10).
    case vorbis
  }

  public let container: Container
  public let encoding: Encoding

  /// Chooses the format by a file's name. If `encoding` is nil, it is the container's default:
  /// float for WAV, W64 and CAF, 24 bits for FLAC and AIFF, Vorbis for Ogg.
  ///
  /// - Throws: `unknownFormat`, `encodingNotAvailable`.
  public init(fileName: String, encoding: Encoding? = nil) throws(AudioFileError) {
    let name = fileName.split(separator: "/").last ?? ""
    let ending = name.lastIndex(of: ".").map { String(name[$0...].dropFirst()) } ?? ""
    guard let container = Self.endings[ending.lowercased()] else {
      throw .unknownFormat(file: fileName, known: Self.endings.keys.sorted())
    }
    let available = Self.encodings(of: container)
    guard available.contains(encoding ?? available[0]) else {
      throw .encodingNotAvailable(file: fileName, container: container, available: available)
    }
    self.container = container
    self.encoding = encoding ?? available[0]
  }

  /// File extensions, in lower case.
  public static let endings: [String: Container] = [
    "wav": .wav, "wave": .wav, "w64": .w64, "flac": .flac, "ogg": .ogg, "oga": .ogg, "aiff": .aiff,
    "aif": .aiff, "caf": .caf,
  ]

  /// Returns the encodings of a container, its default first.
  public static func encodings(of container: Container) -> [Encoding] {
    switch container {
    case .wav, .w64, .caf: [.float, .int16, .int24, .int32]
    case .aiff: [.int24, .int16, .int32, .float]
    case .flac: [.int24, .int16]
    case .ogg: [.vorbis]
    }
  }

  /// Bits of an integer sample; nil for other encodings.
  var integerBits: Int? {
    switch encoding {
    case .int16: 16
    case .int24: 24
    case .int32: 32
    case .float, .vorbis: nil
    }
  }

  /// Size of a sample in the file, in bytes; nil if it depends on the audio.
  public var bytesPerSample: Int? {
    switch container {
    case .flac, .ogg: nil
    case .wav, .w64, .aiff, .caf: (integerBits ?? 32) / 8
    }
  }

  /// Returns the most frames that a file can count; AIFF counts bytes with 32 bits.
  public func maximumFrames(channelCount: Int) -> Int {
    guard container == .aiff else { return (1 << 36) - 1 }
    return ((1 << 32) - 65536) / ((integerBits ?? 32) / 8) / max(channelCount, 1)
  }

  /// The format as text: "32-bit float WAV", "24-bit FLAC", "Ogg Vorbis".
  public var name: String {
    let kind = container.rawValue.uppercased()
    return switch encoding {
    case .vorbis: "Ogg Vorbis"
    case .float: "32-bit float \(kind)"
    default: "\(encoding.rawValue)-bit \(kind)"
    }
  }

  /// The format's number in libsndfile.
  var number: Int32 {
    let major =
      switch container {
      // An ordinary WAV file if the size allows it: see `AudioFileWriter`.
      case .wav: SF_FORMAT_RF64
      case .w64: SF_FORMAT_W64
      case .flac: SF_FORMAT_FLAC
      // Written by `VorbisEncoder`.
      case .ogg: SF_FORMAT_OGG
      case .aiff: SF_FORMAT_AIFF
      case .caf: SF_FORMAT_CAF
      }
    let minor =
      switch encoding {
      case .int16: SF_FORMAT_PCM_16
      case .int24: SF_FORMAT_PCM_24
      case .int32: SF_FORMAT_PCM_32
      case .float: SF_FORMAT_FLOAT
      case .vorbis: SF_FORMAT_VORBIS
      }
    return Int32(major | minor)
  }
}
