// The files of the page, which are part of the program.

/// A file of the page.
struct PageFile: Sendable {
  /// The rights of a file.
  enum Kind {
    case page
    /// A unit's own view: it reaches nothing but its own files.
    case view
  }

  var kind = Kind.page
  let type: String
  let bytes: [UInt8]

  /// All files by their paths.
  static let all: [String: PageFile] = [
    "/": PageFile(type: "text/html; charset=utf-8", bytes: PackageResources.index_html),
    "/pair.html": PageFile(
      type: "text/html; charset=utf-8", bytes: PackageResources.pair_html),
    "/pair.js": script(PackageResources.pair_js),
    "/page.css": style(PackageResources.page_css),
    "/pages.css": style(PackageResources.pages_css),
    "/health.css": style(PackageResources.health_css),
    "/icon.svg": PageFile(type: "image/svg+xml", bytes: PackageResources.icon_svg),
    "/page.js": script(PackageResources.page_js),
    "/address.js": script(PackageResources.address_js),
    "/session.js": script(PackageResources.session_js),
    "/units.js": script(PackageResources.units_js),
    "/connection.js": script(PackageResources.connection_js),
    "/button.js": script(PackageResources.button_js),
    "/search.js": script(PackageResources.search_js),
    "/presets.js": script(PackageResources.presets_js),
    "/keyboard.js": script(PackageResources.keyboard_js),
    "/heldkeys.js": script(PackageResources.heldkeys_js),
    "/graph.js": script(PackageResources.graph_js),
    "/kept.js": script(PackageResources.kept_js),
    "/levels.js": script(PackageResources.levels_js),
    "/meters.js": script(PackageResources.meters_js),
    "/axes.js": script(PackageResources.axes_js),
    "/analyser.js": script(PackageResources.analyser_js),
    "/svg.js": script(PackageResources.svg_js),
    "/scope.js": script(PackageResources.scope_js),
    "/spectrum.js": script(PackageResources.spectrum_js),
    "/curve.js": script(PackageResources.curve_js),
    "/controllers.js": script(PackageResources.controllers_js),
    "/handle.js": script(PackageResources.handle_js),
    "/environment.js": script(PackageResources.environment_js),
    "/fader.js": script(PackageResources.fader_js),
    "/mixer.js": script(PackageResources.mixer_js),
    "/transport.js": script(PackageResources.transport_js),
    "/ownview.js": script(PackageResources.ownview_js),
    "/pictures.js": script(PackageResources.pictures_js),
    "/clock.js": script(PackageResources.clock_js),
    "/waveform.js": script(PackageResources.waveform_js),
    "/views.js": script(PackageResources.views_js),
    "/tabs.js": script(PackageResources.tabs_js),
    "/frames.js": script(PackageResources.frames_js),
    "/roving.js": script(PackageResources.roving_js),
    "/layout.js": script(PackageResources.layout_js),
    "/viewport.js": script(PackageResources.viewport_js),
    "/cables.js": script(PackageResources.cables_js),
    "/ends.js": script(PackageResources.ends_js),
    "/boxes.js": script(PackageResources.boxes_js),
    "/patchbay.js": script(PackageResources.patchbay_js),
    "/adder.js": script(PackageResources.adder_js),
    "/stage.js": script(PackageResources.stage_js),
    "/sounds.js": script(PackageResources.sounds_js),
    "/sampler.js": script(PackageResources.sampler_js),
    "/poll.js": script(PackageResources.poll_js),
    "/journal.js": script(PackageResources.journal_js),
    "/health.js": script(PackageResources.health_js),
    "/midimonitor.js": script(PackageResources.midimonitor_js),
    "/midiwords.js": script(PackageResources.midiwords_js),
    "/unit.js": script(PackageResources.unit_js),
    "/parameter.js": script(PackageResources.parameter_js),
  ]

  private static func script(_ bytes: [UInt8]) -> PageFile {
    PageFile(type: "text/javascript; charset=utf-8", bytes: withoutComments(bytes))
  }

  private static func style(_ bytes: [UInt8]) -> PageFile {
    PageFile(type: "text/css; charset=utf-8", bytes: withoutComments(bytes))
  }

  /// Returns a text without the words of lines that are comments alone. The lines stay, so that a
  /// browser counts them as the source does.
  private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    var isWithin = false
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      line -> ArraySlice<UInt8> in
      let text = line.drop { $0 == UInt8(ascii: " ") }
      if text.starts(with: Array("/*".utf8)) { isWithin = true }
      let isComment = isWithin || text.starts(with: Array("//".utf8))
      if isWithin, line.suffix(2).elementsEqual("*/".utf8) { isWithin = false }
      return isComment ? [] : line
    }
    return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }
}
