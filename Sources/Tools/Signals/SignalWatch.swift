// Signals of a command, handled independently of its other threads.

import Glibc
import JackBackend
import Logging
import Platform
import Session

/// The main thread of a command. It waits for SIGINT, SIGTERM, SIGHUP and SIGUSR1 while other
/// threads work.
///
/// Signals go to the holder of a `SignalStream`. After a signal that requests the end, a second
/// one, or the limit of `EndingPatience`, ends the process with status 1. A stopped server never
/// answers, and libjack waits for it without limit. Once all work is done, the status is that of
/// the work. Without a stream, a signal has its default effect. A service manager is notified when
/// the end begins.
public enum SignalWatch {
  /// Runs the work and ends the process with the status that it returns.
  /// - Thread: [control], the main thread, before any other, because threads inherit the blocked
  ///   signals.
  public static func run(_ work: @escaping @Sendable () async -> Int32) -> Never {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGUSR1] + (isIgnored(SIGHUP) ? [] : [SIGHUP]) {
      sigaddset(&signals, number)
    }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let ending = EndingWatch()
    Task.detached {
      let status = await work()
      ServiceNotification.current?.stopping()
      ending.begin(status)
      exit(status)
    }
    var isEnding = false
    while !isEnding {
      let number = wait(for: &signals)
      guard let asksForEnd = SignalTaker.asksForEnd(number) else { endBy(number, &signals) }
      isEnding = asksForEnd
    }
    ServiceNotification.current?.stopping()
    // A request to save comes too late, and does not ask for more haste.
    sigdelset(&signals, SIGUSR1)
    let reason = waitForEnd(&signals, ending)
    // `exit` may hang too.
    if let status = ending.status { _exit(status) }
    Logger(label: "auricle").error("\(reason): ended where it was, without cleaning up")
    DummyServer.killAll()
    _exit(1)
  }

  /// Waits until the process has to end.
  /// - Returns: the reason.
  private static func waitForEnd(_ signals: inout sigset_t, _ ending: EndingWatch) -> String {
    var patience = EndingPatience()
    var (last, lastTimes) = (ContinuousClock.now, ProcessorTimes.now())
    // One request may send two signals: `timeout` signals its child, and then its group.
    waitOut(&signals, for: .milliseconds(100))
    // An `exit` that has begun has its own limit.
    while ending.status != nil || !patience.isAtEnd {
      if waitForOne(of: &signals, until: .now + .milliseconds(100)) { return "signalled again" }
      let (now, times) = (ContinuousClock.now, ProcessorTimes.now())
      patience.spend(
        (now - last) / .seconds(1),
        idleSeconds: lastTimes.flatMap { times?.idleSeconds(since: $0) })
      (last, lastTimes) = (now, times)
    }
    return "still at work after \(Int(patience.seconds)) seconds"
  }

  /// Discards the signals that arrive within a time.
  private static func waitOut(_ signals: inout sigset_t, for time: Duration) {
    let end = ContinuousClock.now + time
    while waitForOne(of: &signals, until: end) {}
  }

  /// - Returns: whether a signal arrived.
  private static func waitForOne(
    of signals: inout sigset_t, until deadline: ContinuousClock.Instant
  ) -> Bool {
    while true {
      let rest = max(.zero, deadline - .now).components
      var time = timespec(
        tv_sec: Int(rest.seconds), tv_nsec: Int(rest.attoseconds / 1_000_000_000))
      if sigtimedwait(&signals, nil, &time) > 0 { return true }
      if errno != EINTR { return false }
    }
  }

  private static func wait(for signals: inout sigset_t) -> Int32 {
    var number: Int32 = 0
    while sigwait(&signals, &number) != 0 {}
    return number
  }

  /// Whether a signal is ignored: `nohup` ignores a hang-up, which then stays ignored.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func endBy(_ number: Int32, _ signals: inout sigset_t) -> Never {
    signal(number, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
    _exit(128 + number)
  }
}
