// What the compiler cannot see into.

import CRealtime
import Glibc

enum Vouched {
  /// Waits for a tenth of a millisecond.
  ///
  /// Called while rendering offline alone, where nobody waits for the render thread: the session
  /// then waits for what stretches, so that its output does not depend on how fast that is. How
  /// that was checked: sessions in real time run on a render thread that seccomp holds to JACK's
  /// own calls; RealtimeSanitizer, which would report it in every rendering, is told to look away.
  @_semantics("no_performance_analysis") @inline(never)
  static func waitOffline() {
    realtimeCheckPause()
    usleep(100)
    realtimeCheckResume()
  }
}
