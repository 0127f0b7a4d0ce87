// What units can do wrong.

/// One thing that a `FaultyUnit` does wrong.
public enum Fault: String, CaseIterable, Sendable {
  /// Nothing.
  case none
  /// Its bypass clicks.
  case click
  /// The first frame of each call is another.
  case period
  /// A change is heard from the call's first frame on.
  case early
  /// What is no number stays in its memory, through a reset too.
  case kept
  /// A bypass that does not pass the input.
  case bypass
  /// It rings, and says that it does not.
  case tail
  /// It says that it is late.
  case latency
  /// A setting that its state does not bring back.
  case state
  /// A preset beyond a range.
  case preset
  /// A preset of a parameter that there is not.
  case unknown
  /// It traps in calls of 1 frame.
  case trap
  /// It never returns from calls of 1 frame.
  case hang
  /// It leaves memory behind.
  case leak
  /// It leaves a file open.
  case descriptor
  /// A reset does nothing.
  case reset
  /// It reads what nobody has written.
  case uninitialized
  /// All units share a number.
  case shared
  /// It writes a frame behind the last.
  case overrun
  /// It writes to its input.
  case input
  /// It does not work with three channels, and does not say so.
  case channels
  /// It does not work at 44.1 kHz.
  case rate
  /// A value is read as another than was set.
  case reading
  /// A value is written as no number.
  case text
  /// A ramp is read as if it were over.
  case ramp
  /// Each allocation makes it louder.
  case life
  /// An instrument that forgets to end notes.
  case note
  /// Errors for calls of 13 frames.
  case status
}
