// Recognition of SoundFonts by their content.

import Configuration
import Files
import FoundationEssentials

extension SoundFontLocator {
  /// Finds the file of a SoundFont. If it is missing or changed since it was saved with size and
  /// sum, a file with its content replaces it, from the configuration's folder or the usual ones.
  ///
  /// - Returns: the file, and a remark for the user; nil without one.
  func find(
    _ font: SoundFontConfiguration, beside configuration: URL?
  ) throws(SoundFontLocationError) -> (url: URL, remark: String?) {
    let located: URL
    do throws(SoundFontLocationError) {
      located = try locate(font.file.value, beside: configuration)
    } catch {
      guard let other = search(font, beside: configuration) else { throw error }
      return (
        other,
        "there is no SoundFont \(quoted(font.file.value)); \(other.path) has the same content and is taken"
      )
    }
    if font.fits(located) { return (located, nil) }
    if let other = search(font, beside: configuration) {
      return (
        other,
        """
        \(located.path) is another file than when the session was saved; \(other.path) has the content of then and \
        is taken
        """
      )
    }
    return (
      located,
      """
      \(located.path) is another file than when the session was saved, and may sound otherwise; put the former one \
      beside the session, or save the session with this one
      """
    )
  }

  private func search(_ font: SoundFontConfiguration, beside configuration: URL?) -> URL? {
    // With the sum only, every file would have to be read.
    guard font.size != nil, font.sha256 != nil else { return nil }
    let beside = configuration.map { [$0.absoluteURL.deletingLastPathComponent()] } ?? []
    for folder in beside + folders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names.sorted() {
        let file = folder.appendingPathComponent(name)
        guard ["sf2", "sf3"].contains(file.pathExtension.lowercased()) else { continue }
        if font.fits(file) { return file.standardizedFileURL }
      }
    }
    return nil
  }
}

extension SoundFontConfiguration {
  /// Whether a file has the saved size and sum. True for a file that cannot be read: the loader
  /// refuses it.
  fileprivate func fits(_ file: URL) -> Bool {
    if let size {
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: file.resolvingSymlinksInPath().path)
      if let now = attributes?[.size] as? Int, now != size.value { return false }
    }
    guard let sha256, let digest = try? FileDigest(path: file.path) else { return true }
    return digest.sha256 == sha256.value.lowercased()
  }
}

extension ConfigurationContext {
  func find(
    _ font: SoundFontConfiguration
  ) throws(SoundFontLocationError) -> (url: URL, remark: String?) {
    try SoundFontLocator(environment: environment).find(font, beside: file)
  }
}
