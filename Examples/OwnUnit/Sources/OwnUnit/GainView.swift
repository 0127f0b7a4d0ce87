// The gain's own view.

import Auricle

extension Gain: ViewProviding {
  func makeView() throws(UnitViewError) -> UnitView {
    try UnitView(files: [
      "index.html": PackageResources.index_html,
      "gain.css": PackageResources.gain_css,
      "gain.js": PackageResources.gain_js,
    ])
  }

  /// A pad of less than 120 pixels is hard to hit.
  func fits(_ configuration: ViewConfiguration) -> Bool { configuration.height >= 120 }
}
