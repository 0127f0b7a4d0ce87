// Files that a session plays, one after the other.

import FoundationEssentials
import MediaFiles
import Players
import Session
import SessionModel
import Synchronization
import UnitModel

/// Files that a session plays, one after the other.
///
/// Audio files follow each other without a gap. Before another kind, and at the end, the sound
/// rings out.
public final class Playlist: Sendable {
  /// A file that has begun.
  private struct Playing {
    let item: PlayItem
    /// Returns whether it has come to its end.
    ///
    /// - Throws: `CancellationError` if somebody has stopped it.
    let hasEnded: @Sendable () throws -> Bool
  }

  private struct State {
    /// The last file that has begun.
    var current: Playing?
    var isDone = false
  }

  private let items: [PlayItem]
  private let songs: MIDIPlayerUnit?
  private let audio: ScheduledPlayerUnit?
  /// The units through which each kind is heard.
  private let songUnits: [AudioUnit]
  private let audioUnits: [AudioUnit]
  private let tailSeconds: Double?
  private let loops: Bool
  private let state = Mutex(State())

  init(
    _ items: [PlayItem], songs: MIDIPlayerUnit?, heardBy songUnits: [AudioUnit],
    audio: ScheduledPlayerUnit?, heardBy audioUnits: [AudioUnit], _ options: PlayOptions
  ) {
    (self.items, self.songs, self.audio) = (items, songs, audio)
    (self.songUnits, self.audioUnits) = (songUnits, audioUnits)
    (tailSeconds, loops) = (options.tailSeconds, options.loops)
  }

  /// Whether all files and their tails have ended, or none can be played.
  ///
  /// - Thread: [any]
  public var isDone: Bool { state.withLock(\.isDone) }

  /// The current file, or the last one; nil before the first one.
  ///
  /// - Thread: [any]
  public var progress: PlayProgress? {
    guard let playing = state.withLock(\.current) else { return nil }
    let item = playing.item
    let duration = item.durationSeconds ?? .infinity
    let position: Double
    if (try? playing.hasEnded()) != false, duration.isFinite {
      position = duration
    } else if item.isSong {
      position = songs?.positionSeconds ?? 0
    } else {
      position = Double(audio?.parameterTree.parameter(keyPath: "position")?.value ?? 0)
    }
    return PlayProgress(
      name: item.name, positionSeconds: max(0, min(position, duration)),
      durationSeconds: item.durationSeconds)
  }

  /// Differences from the files in playback, a line each.
  ///
  /// - Thread: [control]
  public var losses: [String] {
    let counts = [
      ("played in a later cycle, for want of room", songs?.lateMessages ?? 0),
      ("left out, for they are too long", songs?.lostMessages ?? 0),
    ]
    return counts.filter { $1 > 0 }.map { "MIDI messages \($0): \($1)" }
  }

  // MARK: Playing

  /// Plays all files, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - seconds: delay before the first file.
  ///   - report: called with each file that begins.
  ///   - warn: called with the reason why a file is left out.
  /// - Thread: [any], while the session runs
  public func play(
    afterSeconds seconds: Double, report: (PlayProgress) -> Void, warn: (String) -> Void
  ) async {
    defer { state.withLock { $0.isDone = true } }
    var delay = seconds
    var former: Playing?
    /// Files that could not be played since one could.
    var failures = 0
    var next = 0
    do {
      while !Task.isCancelled, failures < items.count, let item = item(next) {
        next += 1
        let joins = former.map { !$0.item.isSong && !item.isSong } ?? false
        if !joins, let former {
          try await finish(former)
          delay = 0.1
        }
        let playing: Playing
        do throws(PlayError) {
          playing = try begin(item, afterSeconds: joins ? nil : delay, isFollowing: next > 1)
        } catch {
          warn("\(error); it is left out")
          failures += 1
          continue
        }
        failures = 0
        // An audio file is scheduled while the one before it still plays.
        if joins, let former { try await wait(for: former) }
        state.withLock { $0.current = playing }
        if let progress { report(progress) }
        former = playing
      }
      if let former { try await finish(former) }
    } catch {}
  }

  /// Returns the file with a number, counted from 0 over all passes.
  private func item(_ number: Int) -> PlayItem? {
    if number < items.count { return items[number] }
    return loops && !repeatsItself ? items[number % items.count] : nil
  }

  /// Whether the only file repeats without a gap.
  private var repeatsItself: Bool { loops && items.count == 1 }

  private func begin(
    _ item: PlayItem, afterSeconds delay: Double?, isFollowing: Bool
  ) throws(PlayError) -> Playing {
    switch item.content {
    case .song: try begin(song: item, afterSeconds: delay ?? 0, isFollowing: isFollowing)
    case .audio: try schedule(item, afterSeconds: delay, nil)
    case .clip(let clip): try schedule(item, afterSeconds: delay, clip)
    }
  }

  private func begin(
    song item: PlayItem, afterSeconds delay: Double, isFollowing: Bool
  ) throws(PlayError) -> Playing {
    guard let songs else { throw .failed("there is no player of MIDI files") }
    let file = try wrap(PlayError.midi) { () throws(MIDIFileError) in
      try MIDIFile(contentsOf: item.url)
    }
    do throws(PlaybackError) {
      try songs.play(
        file, afterSeconds: delay, isFollowing: isFollowing, loops: repeatsItself)
    } catch { throw .failed("\(item.name): \(error)") }
    let (loops, end) = (repeatsItself, file.durationSeconds)
    return Playing(item: item) { !loops && songs.positionSeconds >= end }
  }

  /// - Parameter delay: nil for a file that joins the one before it.
  private func schedule(
    _ item: PlayItem, afterSeconds delay: Double?, _ clip: AudioClip?
  ) throws(PlayError) -> Playing {
    guard let audio else { throw .failed("there is no player of audio files") }
    let end = PlayedEnd()
    let options: ScheduleOptions = repeatsItself ? .loops : []
    let handler: PlaybackHandler = { end.isWhole = $0.isWhole }
    // The player is stopped before its first file only.
    let isStopped = audio.isStopped
    let time = isStopped ? delay.map(PlayerTime.seconds) : nil
    do throws(PlaybackError) {
      if let clip {
        try audio.schedule(clip, at: time, options: options, reporting: .rendered, handler)
      } else {
        try audio.schedule(
          contentsOf: item.url, at: time, options: options, reporting: .rendered, handler)
      }
    } catch { throw .failed("\(error)") }
    if isStopped {
      do throws(ScheduleError) { try audio.play() } catch {
        throw .failed("\(item.name): \(error)")
      }
    }
    return Playing(item: item) {
      guard let isWhole = end.isWhole else { return false }
      if !isWhole { throw CancellationError() }
      return true
    }
  }

  private func wait(for playing: Playing) async throws {
    while try !playing.hasEnded() { try await Self.pause() }
  }

  /// Waits for the end of a file and of its tail.
  private func finish(_ playing: Playing) async throws {
    try await wait(for: playing)
    let tail = { [self] (units: [AudioUnit]) in
      tailSeconds ?? min(units.reduce(0) { $0 + $1.tailTime }, PlayOptions.longestRinging)
    }
    guard playing.item.isSong, let songs, let end = playing.item.durationSeconds else {
      return try await Task.sleep(for: .seconds(tail(audioUnits)))
    }
    while songs.positionSeconds < end + tail(songUnits) { try await Self.pause() }
    songs.end()
    while !songs.isIdle { try await Self.pause() }
  }

  private static func pause() async throws { try await Task.sleep(for: .milliseconds(20)) }

  /// Releases held notes and fades audio out, to end playback early.
  ///
  /// - Thread: [control]
  public func leave() async {
    songs?.end()
    try? audio?.stop()
    // Without a server there is no answer, so this waits at most 0.5 s.
    for _ in 0..<50 where songs?.isIdle == false { try? await Task.sleep(for: .milliseconds(10)) }
    try? await Task.sleep(for: .milliseconds(150))
  }
}

/// A file that is played.
///
/// - Thread: [any]
public struct PlayProgress: Sendable {
  public let name: String
  /// Position in the file, in seconds.
  public let positionSeconds: Double
  /// Duration of the file, in seconds; nil if it does not tell.
  public let durationSeconds: Double?
}

/// The end of an audio file's playback.
private final class PlayedEnd: Sendable {
  private let value = Mutex<Bool?>(nil)

  /// Whether the file was played to its end; nil while it is played.
  var isWhole: Bool? {
    get { value.withLock(\.self) }
    set { value.withLock { $0 = newValue } }
  }
}

extension ScheduledPlayerUnit {
  fileprivate var isStopped: Bool { parameterTree.parameter(keyPath: "state")?.value == 0 }
}

extension JackSession {
  /// Delay after which a new session plays a file: its connections are in use then, in seconds.
  ///
  /// - Thread: [control]
  public var playDelay: Double {
    // The server uses a new connection from the next cycle or the one after it.
    let cycles = connection.map { 3 * Double($0.client.period) / Double($0.client.sampleRate) }
    return max(0.1, cycles ?? 0)
  }
}
