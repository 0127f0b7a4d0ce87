// Base folders of a user's and the system's files.

public import FoundationEssentials

/// The base folders of the XDG base directory specification.
///
/// As it says, variables are ignored unless their value is an absolute path.
public struct BaseFolders: Sendable {
  /// $HOME; nil if not set.
  public let home: URL?
  /// $XDG_CONFIG_HOME, or `~/.config`; nil if neither it nor $HOME is set.
  public let configuration: URL?
  /// $XDG_DATA_HOME, or `~/.local/share`; nil if neither it nor $HOME is set.
  public let data: URL?
  /// $XDG_STATE_HOME, or `~/.local/state`; nil if neither it nor $HOME is set.
  public let state: URL?
  /// $XDG_CONFIG_DIRS, or `/etc/xdg`.
  public let systemConfiguration: [URL]
  /// $XDG_DATA_DIRS; empty if not set.
  public let systemData: [URL]

  /// - Thread: [any]
  public init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    let home = Self.folder(environment["HOME"])
    func user(_ variable: String, _ fallback: String) -> URL? {
      Self.folder(environment[variable])
        ?? home?.appendingPathComponent(fallback, isDirectory: true)
    }
    func system(_ variable: String, _ fallback: String) -> [URL] {
      (environment[variable] ?? fallback).split(separator: ":").compactMap {
        Self.folder(String($0))
      }
    }
    self.home = home
    configuration = user("XDG_CONFIG_HOME", ".config")
    data = user("XDG_DATA_HOME", ".local/share")
    state = user("XDG_STATE_HOME", ".local/state")
    systemConfiguration = system("XDG_CONFIG_DIRS", "/etc/xdg")
    systemData = system("XDG_DATA_DIRS", "")
  }

  private static func folder(_ path: String?) -> URL? {
    guard let path, path.hasPrefix("/") else { return nil }
    return URL(fileURLWithPath: path, isDirectory: true)
  }
}
