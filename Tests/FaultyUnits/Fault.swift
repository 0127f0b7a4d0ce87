// Faults that a test's unit can have.

/// A fault of a `FaultyUnit`.
public enum Fault: String, CaseIterable, Sendable {
  /// No fault.
  case none
  /// The bypass clicks.
  case click
  /// The first frame of each call has an offset.
  case period
  /// A change takes effect from the call's first frame on.
  case early
  /// NaN and infinity stay in its memory, through a reset too.
  case kept
  /// A bypass that does not pass the input.
  case bypass
  /// It rings, and reports no tail.
  case tail
  /// It reports a latency that it does not have.
  case latency
  /// A setting that its state does not restore.
  case state
  /// A preset whose value is out of range.
  case preset
  /// A preset of an unknown parameter.
  case unknown
  /// It traps in calls of 1 frame.
  case trap
  /// It never returns from calls of 1 frame.
  case hang
  /// It leaks memory.
  case leak
  /// It leaves a file open.
  case descriptor
  /// A reset does not clear its memory.
  case reset
  /// It reads uninitialized memory.
  case uninitialized
  /// All units share a number.
  case shared
  /// It writes a frame after the last one.
  case overrun
  /// It writes to its input.
  case input
  /// It fails with three channels, which it declares.
  case channels
  /// It fails at 44.1 kHz.
  case rate
  /// A value reads back differently from the one set.
  case reading
  /// A value's text is no number.
  case text
  /// A ramp's value reads back as its target from the start.
  case ramp
  /// Each allocation makes it louder.
  case life
  /// An instrument whose notes do not end.
  case note
  /// Errors for calls of 13 frames.
  case status
}
