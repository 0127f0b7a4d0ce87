// Tempo and time signature of a MIDI file over time.

/// The tempo map of a MIDI file, and the musical position at any time.
///
/// - Thread: [any]
public struct MIDITempoMap: Sendable {
  /// Tempo and time signature from this point until the next one.
  public struct Point: Sendable, Equatable {
    /// Time since the start, in seconds.
    public var seconds: Double
    /// Quarter notes since the start.
    public var quarterNotes: Double
    /// Tempo, in quarter notes a minute.
    public var quarterNotesPerMinute: Double
    public var timeSignatureNumerator: Int
    public var timeSignatureDenominator: Int
    /// The first downbeat of this time signature, in quarter notes since the start.
    public var firstDownbeat: Double

    /// The time in the file's ticks.
    var tick = 0
    /// The file's own value, so that rounding errors do not add up.
    var microsecondsPerQuarter = 500_000
  }

  /// A musical position.
  public struct Position: Sendable, Equatable {
    /// Quarter notes since the start.
    public let quarterNotes: Double
    public let quarterNotesPerMinute: Double
    public let timeSignatureNumerator: Int
    public let timeSignatureDenominator: Int
    /// Start of the current measure, in quarter notes since the start.
    public let measureDownbeat: Double
  }

  /// The points in order of time, the first at 0. Without tempo or time signature in the file, that
  /// is 120 quarter notes a minute and 4/4.
  public let points: [Point]

  /// 120 quarter notes a minute and 4/4 throughout.
  public static let standard = MIDITempoMap([], division: .ticksPerQuarter(1))

  init(_ changes: [MIDITempoChange], division: MIDIDivision) {
    let order = changes.indices.sorted {
      (changes[$0].tick, $0) < (changes[$1].tick, $1)
    }
    var points = [
      Point(
        seconds: 0, quarterNotes: 0, quarterNotesPerMinute: 120, timeSignatureNumerator: 4,
        timeSignatureDenominator: 4, firstDownbeat: 0)
    ]
    for index in order {
      let change = changes[index]
      var point = points[points.count - 1]
      if change.tick > point.tick {
        point = point.moved(toTick: change.tick, division: division)
        points.append(point)
      }
      switch change.kind {
      case .microsecondsPerQuarter(let tempo):
        point.microsecondsPerQuarter = tempo
        point.quarterNotesPerMinute = 6e7 / Double(tempo)
      case .timeSignature(let numerator, let denominator):
        point.timeSignatureNumerator = numerator
        point.timeSignatureDenominator = denominator
        point.firstDownbeat = point.quarterNotes
      }
      points[points.count - 1] = point
    }
    self.points = points
  }

  /// Returns the position at a time, which may be negative or after the end.
  ///
  /// - Complexity: O(log points).
  public func position(atSeconds seconds: Double) -> Position {
    var low = 0
    var high = points.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if points[middle].seconds <= seconds { low = middle } else { high = middle }
    }
    let point = points[low]
    let quarterNotes =
      point.quarterNotes + (seconds - point.seconds) * point.quarterNotesPerMinute / 60
    let measure =
      4 * Double(point.timeSignatureNumerator) / Double(point.timeSignatureDenominator)
    let measures = ((quarterNotes - point.firstDownbeat) / measure).rounded(.down)
    return Position(
      quarterNotes: quarterNotes, quarterNotesPerMinute: point.quarterNotesPerMinute,
      timeSignatureNumerator: point.timeSignatureNumerator,
      timeSignatureDenominator: point.timeSignatureDenominator,
      measureDownbeat: point.firstDownbeat + measures * measure)
  }
}

extension MIDITempoMap.Point {
  /// Returns the seconds from this point to a tick, at its tempo.
  func seconds(toTick later: Int, division: MIDIDivision) -> Double {
    let ticks = Double(later - tick)
    switch division {
    case .ticksPerQuarter(let resolution):
      return ticks * Double(microsecondsPerQuarter) / (Double(resolution) * 1e6)
    case .ticksPerSecond(let rate):
      return ticks / rate
    }
  }

  fileprivate func moved(toTick later: Int, division: MIDIDivision) -> MIDITempoMap.Point {
    var point = self
    let seconds = seconds(toTick: later, division: division)
    point.tick = later
    point.seconds += seconds
    switch division {
    case .ticksPerQuarter(let resolution):
      point.quarterNotes += Double(later - tick) / Double(resolution)
    case .ticksPerSecond:
      point.quarterNotes += seconds * quarterNotesPerMinute / 60
    }
    return point
  }
}

/// A converter of ticks to seconds.
struct MIDITickClock {
  let tempoMap: MIDITempoMap
  let division: MIDIDivision
  private var index = 0

  init(tempoMap: MIDITempoMap, division: MIDIDivision) {
    self.tempoMap = tempoMap
    self.division = division
  }

  /// Returns the time of a tick, which must not precede the tick of the last call.
  mutating func advance(toTick tick: Int) -> Double {
    let points = tempoMap.points
    while index + 1 < points.count, points[index + 1].tick <= tick { index += 1 }
    return points[index].seconds + points[index].seconds(toTick: tick, division: division)
  }

  /// Returns the time of any tick.
  func seconds(atTick tick: Int) -> Double {
    var walk = MIDITickClock(tempoMap: tempoMap, division: division)
    return walk.advance(toTick: tick)
  }
}
