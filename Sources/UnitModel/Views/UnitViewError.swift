// Errors of views of units.

/// A view that cannot be shown.
public enum UnitViewError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A file's name is none of a view.
  case name(String)
  /// The view has too many files.
  case files(Int)
  /// The view's files are too long together.
  case bytes
  /// The view has no `index.html`.
  case nothingToShow
  /// A file or the folder cannot be read.
  case file(path: String, reason: String)
  /// The unit could not make its view.
  case failed(String)

  public var description: String {
    switch self {
    case .name(let name):
      "'\(name)' is no name of a view's file; accepted: letters, digits, '.', '-' and '_', except "
        + UnitView.reservedFile
    case .files(let count): "\(count) files in a view; accepted: up to \(UnitView.mostFiles)"
    case .bytes: "the files of a view have more than \(UnitView.mostBytes) bytes together"
    case .nothingToShow: "a view has no file '\(UnitView.firstFile)'"
    case .file(let path, let reason): "\(path): \(reason)"
    case .failed(let reason): reason
    }
  }
}
