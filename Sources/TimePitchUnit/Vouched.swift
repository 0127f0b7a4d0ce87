// A call that the compiler cannot check.

import CRealtime
import Glibc

enum Vouched {
  /// Waits for a tenth of a millisecond.
  ///
  /// Called only while rendering offline, when nothing waits for the render thread. It waits for
  /// the stretching thread, so that the output does not depend on the speed of stretching. How it
  /// was checked: sessions in real time run on a render thread that seccomp restricts to JACK's own
  /// calls. RealtimeSanitizer, which would report it in every rendering, is paused.
  @_semantics("no_performance_analysis") @inline(never)
  static func waitOffline() {
    realtimeCheckPause()
    usleep(100)
    realtimeCheckResume()
  }
}
