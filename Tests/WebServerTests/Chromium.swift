// Chromium, driven over a pipe.

import Foundation
import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves tests out where Chromium is not installed, except in CI.
  static var chromium: Self {
    .enabled(
      if: Chromium.program != nil || ProcessInfo.processInfo.environment["CI"] != nil,
      "make test-dependencies installs Chromium, to try the page")
  }
}

/// A Chromium without a window, driven by the DevTools protocol over a pipe.
final class Chromium: Sendable {
  /// The program's path; nil where it is not installed.
  static let program = programInPath("chromium")?.path

  struct Failure: Error, CustomStringConvertible { let description: String }

  /// The parts of answers and events that the tests read.
  private struct Message: Decodable, Sendable {
    struct Result: Decodable {
      struct Value: Decodable { let value: String? }
      struct Details: Decodable { let text: String }
      let result: Value?
      let exceptionDetails: Details?
      let targetId: String?
      let sessionId: String?
      let browserContextId: String?
    }
    struct Fault: Decodable { let message: String }
    let id: Int?
    let result: Result?
    let error: Fault?
    let method: String?
    let sessionId: String?
  }

  private struct State {
    var lastNumber = 0
    var answers: [Int: Message] = [:]
    /// Exceptions and errors of pages, by their sessions.
    var faults: [String: [String]] = [:]
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let process: Platform.ChildProcess
  private let toChromium: Int32
  private let folder: TemporaryDirectory

  init() throws {
    let folder = try TemporaryDirectory()
    self.folder = folder
    let (requests, answers) = (try openPipe(), try openPipe())
    var arguments = [
      "chromium", "--headless", "--remote-debugging-pipe", "--disable-gpu",
      "--disable-dev-shm-usage", "--no-first-run", "--user-data-dir=\(folder.url.path)",
      "about:blank",
    ]
    if geteuid() == 0 { arguments.insert("--no-sandbox", at: 1) }
    let path = try #require(Self.program)
    let null = Glibc.open("/dev/null", O_RDWR)
    defer {
      for one in [null, requests.read, answers.write] { Glibc.close(one) }
    }
    process = try Platform.ChildProcess(
      path, arguments: arguments,
      environment: ProcessInfo.processInfo.environment.merging(["HOME": folder.url.path]) { $1 },
      descriptors: [0: null, 1: null, 2: null, 3: requests.read, 4: answers.write])
    toChromium = requests.write
    let reading = answers.read
    Thread.detachNewThread { [weak self] in
      Self.read(reading) { self?.take($0) }
      Glibc.close(reading)
      self?.state.withLock { $0.hasEnded = true }
    }
  }

  /// Ends Chromium, with all its processes.
  func close() {
    Glibc.close(toChromium)
    kill(-process.identifier, SIGKILL)
    while process.end == nil { usleep(1000) }
  }

  /// Reads messages, each of which ends with a zero byte.
  private static func read(_ descriptor: Int32, _ take: (Data) -> Void) {
    var input = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      input.append(contentsOf: buffer[..<count])
      while let end = input.firstIndex(of: 0) {
        take(Data(input[input.startIndex..<end]))
        input.removeSubrange(input.startIndex...end)
      }
    }
  }

  private func take(_ data: Data) {
    guard let message = try? JSONDecoder().decode(Message.self, from: data) else { return }
    state.withLock { state in
      if let id = message.id { state.answers[id] = message }
      if let session = message.sessionId,
        ["Runtime.exceptionThrown", "Log.entryAdded"].contains(message.method)
      {
        state.faults[session, default: []].append(String(decoding: data, as: UTF8.self))
      }
    }
  }

  /// Sends a command, and returns what its answer has.
  private func ask(
    _ method: String, _ parameters: [String: Any] = [:], in session: String? = nil
  ) async throws -> Message.Result? {
    try await answer(to: try send(method, parameters, in: session))
  }

  /// A command that was sent.
  fileprivate struct Sent {
    let number: Int
    let method: String
  }

  private func send(
    _ method: String, _ parameters: [String: Any], in session: String?
  ) throws -> Sent {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    var command: [String: Any] = ["id": number, "method": method, "params": parameters]
    command["sessionId"] = session
    var bytes = Array(try JSONSerialization.data(withJSONObject: command)) + [0]
    while !bytes.isEmpty {
      let count = Glibc.write(toChromium, bytes, bytes.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Failure(description: "Chromium has ended") }
      bytes.removeFirst(count)
    }
    return Sent(number: number, method: method)
  }

  private func answer(to sent: Sent) async throws -> Message.Result? {
    let isThere = await eventually {
      state.withLock { $0.answers[sent.number] != nil || $0.hasEnded }
    }
    guard isThere, let answer = state.withLock({ $0.answers.removeValue(forKey: sent.number) })
    else { throw Failure(description: "no answer to \(sent.method)") }
    if let error = answer.error { throw Failure(description: "\(sent.method): \(error.message)") }
    if let details = answer.result?.exceptionDetails { throw Failure(description: details.text) }
    return answer.result
  }

  /// Opens a page in a context of its own, as another user's browser would.
  func open(_ address: String) async throws -> Page {
    let context = try #require(try await ask("Target.createBrowserContext")?.browserContextId)
    let target = try #require(
      try await ask(
        "Target.createTarget",
        ["url": "about:blank", "browserContextId": context, "width": 1300, "height": 900]
      )?.targetId)
    let session = try #require(
      try await ask("Target.attachToTarget", ["targetId": target, "flatten": true])?.sessionId)
    for domain in ["Runtime", "Log", "Page"] {
      _ = try await ask("\(domain).enable", in: session)
    }
    _ = try await ask("Page.navigate", ["url": address], in: session)
    return Page(chromium: self, target: target, session: session)
  }

  /// A page, for one test.
  struct Page: Sendable {
    fileprivate let chromium: Chromium
    fileprivate let target: String
    fileprivate let session: String

    /// Exceptions and errors so far.
    var faults: [String] { chromium.state.withLock { $0.faults[session] ?? [] } }

    /// Returns the value of an expression as JSON.
    func evaluate(_ expression: String) async throws -> String {
      let result = try await chromium.ask(
        "Runtime.evaluate",
        ["expression": "JSON.stringify((\(expression)))", "userGesture": true], in: session)
      return result?.result?.value ?? "undefined"
    }

    /// Waits until an expression has a value, as JSON.
    func sees(_ expression: String, _ value: String = "true") async -> Bool {
      for _ in 0..<1000 {
        if (try? await evaluate(expression)) == value { return true }
        try? await Task.sleep(for: .milliseconds(20))
      }
      return false
    }

    /// Runs a script in the page, whatever the page's policy says of scripts.
    func run(_ script: String) async throws {
      // Its value is not wanted.
      _ = try await chromium.ask(
        "Runtime.evaluate", ["expression": script + "\n;undefined"], in: session)
    }

    /// Lets the page think that the user prefers something, such as
    /// `["prefers-color-scheme": "light"]`.
    func emulate(_ features: [String: String]) async throws {
      _ = try await chromium.ask(
        "Emulation.setEmulatedMedia",
        ["features": features.map { ["name": $0.key, "value": $0.value] }], in: session)
    }

    /// Sends a key's press, release, or both.
    ///
    /// - Parameters:
    ///   - code: the physical key, such as "KeyA".
    ///   - number: the key's number in Windows, by which controls know it.
    ///   - modifiers: 8 for Shift.
    func key(
      _ key: String, code: String, number: Int, isDown: Bool? = nil, modifiers: Int = 0
    ) async throws {
      for type in ["keyDown", "keyUp"] where isDown.map({ $0 == (type != "keyUp") }) ?? true {
        var event: [String: Any] = [
          "type": type, "key": key, "code": code, "windowsVirtualKeyCode": number,
          "modifiers": modifiers,
        ]
        // Buttons take Enter as a character.
        if key == "Enter" && type == "keyDown" { event["text"] = "\r" }
        _ = try await chromium.ask("Input.dispatchKeyEvent", event, in: session)
      }
    }

    /// Moves the mouse along points with its left button down.
    ///
    /// - Parameter wait: called after each point.
    func drag(_ points: [(x: Double, y: Double)], wait: () async -> Void) async throws {
      for (index, point) in points.enumerated() {
        let isLast = index == points.count - 1
        var event: [String: Any] = [
          "type": index == 0 ? "mousePressed" : "mouseMoved", "x": point.x, "y": point.y,
          "button": "left", "buttons": 1, "clickCount": 1,
        ]
        _ = try await chromium.ask("Input.dispatchMouseEvent", event, in: session)
        await wait()
        if !isLast { continue }
        (event["type"], event["buttons"]) = ("mouseReleased", 0)
        _ = try await chromium.ask("Input.dispatchMouseEvent", event, in: session)
      }
    }

    /// Lets the page think that it has a touch screen.
    func emulateTouch() async throws {
      _ = try await chromium.ask(
        "Emulation.setTouchEmulationEnabled", ["enabled": true, "maxTouchPoints": 5], in: session)
    }

    /// Moves fingers along points, each of which has a place for each finger.
    ///
    /// The fingers do not wait for the page: of taps whose end followed the answer to their start
    /// at once, Chromium made no click of one in four.
    ///
    /// - Parameter wait: called after each point.
    func touch(
      _ points: [[(x: Double, y: Double)]], wait: () async -> Void = {}
    ) async throws {
      var sent: [Sent] = []
      func send(_ type: String, _ fingers: [[String: Double]]) throws {
        sent.append(
          try chromium.send(
            "Input.dispatchTouchEvent", ["type": type, "touchPoints": fingers], in: session))
      }
      for (index, point) in points.enumerated() {
        let fingers = point.enumerated().map { ["x": $1.x, "y": $1.y, "id": Double($0)] }
        try send(index == 0 ? "touchStart" : "touchMove", fingers)
        await wait()
      }
      try send("touchEnd", [])
      for one in sent { _ = try await chromium.answer(to: one) }
    }

    func close() async throws {
      _ = try await chromium.ask("Target.closeTarget", ["targetId": target])
    }
  }
}
