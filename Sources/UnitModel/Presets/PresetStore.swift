// The folder of a component's user presets.

import Files
import FoundationEssentials
import Glibc
import Synchronization

/// User presets as `.aupreset` files, one folder for each component.
///
/// Other programs may write to the folder too, so every call reads the files again.
public final class PresetStore: PresetStoring {
  /// The most bytes of a preset file; larger ones are not read.
  public static let maximumBytes = 16 << 20

  /// The folder, `ROOT/TYPE-SUBTYPE-MANUFACTURER`.
  ///
  /// - Thread: [any]
  public let folder: URL
  let component: ComponentDescription
  /// Held during a change, so that two threads do not take the same number or name.
  let changes = Mutex<Void>(())

  /// Makes the store of one component.
  ///
  /// - Parameter root: The folder of all components' presets.
  /// - Thread: [control]
  public init(component: ComponentDescription, root: URL = PresetStore.defaultRoot) {
    self.component = component
    let codes = [component.type, component.subtype, component.manufacturer]
    folder = root.appendingPathComponent(
      codes.map { PresetFileName.escape("\($0)") ?? "\($0)" }.joined(separator: "-"),
      isDirectory: true)
  }

  /// `$XDG_DATA_HOME/auricle/presets`; XDG_DATA_HOME is `~/.local/share` unless set to an absolute
  /// path.
  ///
  /// - Thread: [control]
  public static var defaultRoot: URL { root(ProcessInfo.processInfo.environment) }

  /// Returns the default root for other environment variables.
  package static func root(_ environment: [String: String]) -> URL {
    let data =
      BaseFolders(environment).data
      ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(
        ".local/share", isDirectory: true)
    return data.appendingPathComponent("auricle/presets", isDirectory: true)
  }

  /// Returns the presets in order of their names, and the faults of the other files.
  ///
  /// A file whose number is missing or taken gets the next free one.
  ///
  /// - Throws: `unreadable` if the folder exists and cannot be read.
  /// - Thread: [control]
  public func list() throws(PresetError) -> PresetListing { try contents().listing }

  /// Returns the presets, and the file of each by its name.
  func contents() throws(PresetError) -> (listing: PresetListing, files: [String: String]) {
    var listing = PresetListing()
    var files: [String: String] = [:]
    var unnumbered: [String] = []
    for file in try names() {
      guard let name = PresetFileName.presetName(file: file) else { continue }
      do throws(PresetError) {
        let state = try read(file: file)
        guard files[name] == nil else {
          throw .malformed(file: path(file), reason: "another file already is preset \"\(name)\"")
        }
        files[name] = file
        if case .integer(let number)? = state[StateKey.presetNumber], number < 0,
          !listing.presets.contains(where: { $0.number == number })
        {
          listing.presets.append(Preset(number: number, name: name))
        } else {
          unnumbered.append(name)
        }
      } catch { listing.problems.append(error) }
    }
    for name in unnumbered {
      listing.presets.append(Preset(number: listing.freeNumber, name: name))
    }
    listing.presets.sort { $0.name < $1.name }
    return (listing, files)
  }

  func names() throws(PresetError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return []
    } catch {
      throw .unreadable(file: folder.path, reason: "\(error)")
    }
  }

  func path(_ file: String) -> String { folder.appendingPathComponent(file).path }
}
