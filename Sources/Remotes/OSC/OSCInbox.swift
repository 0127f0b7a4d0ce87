// What has come by OSC and is not yet done.

import OSC

/// A request and whose it is.
struct OSCTask {
  let request: OSCRequest
  let peer: OSCPeer
  /// The message's address, where it is answered.
  let address: String
  /// When it is to take effect.
  let time: OSCTimeTag
  /// Nil where no later one replaces it.
  let subject: OSCSubject?

  var isQuestion: Bool {
    if case .question = subject { true } else { false }
  }
}

/// Requests in the order in which they came, bounded. Of those with one subject the last is kept:
/// however fast somebody moves a fader, there is one value of it to be set.
struct OSCInbox {
  /// Of requests that wait.
  static let maximumTasks = 4096
  /// Of requests that wait for their time, from all hosts.
  static let maximumTimed = 4096
  /// Of those among them from one host, whatever its ports: no host takes all room.
  static let maximumTimedOfHost = 1024

  private var tasks: [UInt64: OSCTask] = [:]
  private var latest: [OSCSubject: UInt64] = [:]
  private var number: UInt64 = 0
  /// By their times, and within one in the order in which they came.
  private var timed: [OSCTask] = []

  enum Fate { case taken, replaced, full }

  var isEmpty: Bool { tasks.isEmpty }
  /// When the first of those that wait for their time is due.
  var nextTime: OSCTimeTag? { timed.first?.time }

  /// Takes in what is to be done as soon as possible.
  mutating func add(_ task: OSCTask) -> Fate {
    // A later one goes behind what came in between, a preset for instance.
    let old = task.subject.flatMap { latest[$0] }
    guard old != nil || tasks.count < Self.maximumTasks else { return .full }
    if let old { tasks[old] = nil }
    number += 1
    tasks[number] = task
    if let subject = task.subject { latest[subject] = number }
    return old == nil ? .taken : .replaced
  }

  /// Takes in what is to be done at its time.
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

  /// The first tasks, at most `count`, of those that are wanted.
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

  /// The tasks of `time` and before, at most `count`.
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

  /// Forgets what somebody asked who is gone.
  mutating func forget(_ peer: OSCPeer) {
    for (number, task) in tasks {
      guard let subject = task.subject, case .question(peer, _) = subject else { continue }
      tasks[number] = nil
      latest[subject] = nil
    }
  }
}
