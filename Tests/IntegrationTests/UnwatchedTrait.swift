// Tests that RealtimeSanitizer has nothing to see in.

import CRealtime
import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves tests out under RealtimeSanitizer: `unwatched_tests` of `scripts/test.sh` names their
  /// suites, which run without it.
  static var unwatched: Self {
    .disabled(if: realtimeSanitizerIsLinked() != 0, "nothing is rendered")
  }
}
