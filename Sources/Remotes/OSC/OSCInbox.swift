// OSC requests that wait to be executed.

import OSC
import SessionModel

/// A request and its sender.
struct OSCTask {
  let request: OSCRequest
  let peer: OSCPeer
  /// The message's address, used in answers.
  let address: String
  /// The time when it takes effect.
  let time: OSCTimeTag
  /// The subject within which a later request replaces it; nil if none does.
  let subject: OSCSubject?

  var isQuestion: Bool {
    if case .question = subject { true } else { false }
  }
}

/// Waiting requests in the order of their arrival, limited in number. Of several with the same
/// subject only the last is kept: however fast a fader moves, there is one value to set.
struct OSCInbox {
  /// The maximum number of waiting requests.
  static let maximumTasks = 4096
  /// The number of ends of notes beyond that, so that no note is left.
  static let maximumReleases = 1024
  /// The maximum number of requests that wait for their time, from all hosts.
  static let maximumTimed = 4096
  /// The maximum number of those from one host, on all its ports: no host can take all the room.
  static let maximumTimedOfHost = 1024

  private var tasks: [UInt64: OSCTask] = [:]
  private var latest: [OSCSubject: UInt64] = [:]
  private var number: UInt64 = 0
  /// Timed requests, sorted by time and then by arrival.
  private var timed: [OSCTask] = []

  enum Fate { case taken, replaced, full }

  var isEmpty: Bool { tasks.isEmpty }
  /// The time of the first timed request; nil if there is none.
  var nextTime: OSCTimeTag? { timed.first?.time }

  /// Adds a request to execute as soon as possible.
  mutating func add(_ task: OSCTask) -> Fate {
    // The replacement follows requests that arrived in between, such as a preset.
    let old = task.subject.flatMap { latest[$0] }
    let room = Self.maximumTasks + (task.request.isRelease ? Self.maximumReleases : 0)
    guard old != nil || tasks.count < room else { return .full }
    if let old { tasks[old] = nil }
    number += 1
    tasks[number] = task
    if let subject = task.subject { latest[subject] = number }
    return old == nil ? .taken : .replaced
  }

  /// Adds a request to execute at its time.
  mutating func addTimed(_ task: OSCTask) -> Fate {
    var place = timed.count
    while place > 0, task.time < timed[place - 1].time { place -= 1 }
    var same = place
    while same > 0, timed[same - 1].time == task.time {
      same -= 1
      if let subject = task.subject, timed[same].subject == subject {
        timed.remove(at: same)
        timed.insert(task, at: place - 1)
        return .replaced
      }
    }
    let host = task.peer.place.host
    guard timed.count < Self.maximumTimed,
      timed.count(where: { $0.peer.place.host == host }) < Self.maximumTimedOfHost
    else { return .full }
    timed.insert(task, at: place)
    return .taken
  }

  /// Removes and returns the first requests that are wanted, at most `count`.
  mutating func take(_ count: Int, where isWanted: (OSCTask) -> Bool) -> [OSCTask] {
    var taken: [OSCTask] = []
    for number in tasks.keys.sorted() where taken.count < count {
      guard let task = tasks[number], isWanted(task) else { continue }
      tasks[number] = nil
      if let subject = task.subject { latest[subject] = nil }
      taken.append(task)
    }
    return taken
  }

  /// Removes and returns the wanted requests with times up to `time`, at most `count`.
  mutating func takeTimed(
    _ count: Int, until time: OSCTimeTag, where isWanted: (OSCTask) -> Bool
  ) -> [OSCTask] {
    let end = timed.firstIndex { time < $0.time } ?? timed.count
    var taken: [OSCTask] = []
    var kept: [OSCTask] = []
    for task in timed[..<end] {
      if taken.count < count && isWanted(task) { taken.append(task) } else { kept.append(task) }
    }
    timed.replaceSubrange(..<end, with: kept)
    return taken
  }

  /// Adds the ends of notes, whatever waits: each after what came before.
  ///
  /// - Parameter time: the time at which they end; `immediate` for as soon as possible.
  mutating func release(_ notes: [PlayedNote], of peer: OSCPeer, at time: OSCTimeTag) {
    for note in notes {
      let task = OSCTask(
        request: .note(note), peer: peer, address: "/\(note.unit)/note", time: time, subject: nil)
      if time.isImmediate {
        number += 1
        tasks[number] = task
      } else {
        timed.insert(task, at: timed.firstIndex { time < $0.time } ?? timed.count)
      }
    }
  }

  /// Drops the questions of a sender that has gone.
  mutating func forget(_ peer: OSCPeer) {
    for (number, task) in tasks {
      guard let subject = task.subject, case .question(peer, _) = subject else { continue }
      tasks[number] = nil
      latest[subject] = nil
    }
  }
}
