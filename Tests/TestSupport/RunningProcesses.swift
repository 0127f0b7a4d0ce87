// Processes that tests have not started themselves.

import Foundation

/// The child processes of `parent` that run `program`.
public func children(of parent: pid_t, running program: String) -> [pid_t] {
  let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
  return entries.compactMap(pid_t.init).filter {
    // "PID (NAME) STATE PARENT …"; a name may hold spaces and parentheses.
    guard let text = try? String(contentsOfFile: "/proc/\($0)/stat", encoding: .utf8),
      let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")")
    else { return false }
    let fields = text[end...].split(separator: " ")
    return text[start...end] == "(\(program))" && fields.count > 2 && pid_t(fields[2]) == parent
  }
}

/// Whether a process exists and is no zombie.
public func isAlive(_ process: pid_t) -> Bool {
  guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
    let end = text.lastIndex(of: ")")
  else { return false }
  return text[end...].split(separator: " ").dropFirst().first != "Z"
}

/// The processes with an argument.
public func processes(withArgument argument: String) -> [pid_t] {
  let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
  return entries.compactMap(pid_t.init).filter {
    let text = (try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8)) ?? ""
    return text.split(separator: "\0").contains { $0 == argument }
  }
}
