// Addresses of the server, and the file with its secret.

import ControlSocket
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WebServer

@Suite struct AddressTests {
  @Test func theAddressIsARandomOneOfLoopback() throws {
    let tests = try (0..<4).map { _ in try TestServer() }
    #expect(Set(tests.map(\.address)).count == 4)
    for test in tests { #expect(test.address.hasPrefix("http://127.")) }
    var hosts: Set<String> = []
    for _ in 0..<5000 {
      let host = ListeningAddress.randomLoopback()
      hosts.insert(host)
      let parts = host.split(separator: ".").compactMap { Int($0) }
      #expect(parts.count == 4 && parts[0] == 127 && parts[1] != 0)
      #expect((1...254).contains(parts[3]) && (0...255).contains(parts[2]))
    }
    #expect(hosts.count > 4900)
  }

  @Test func anAddressThatIsNamedHasThePortInItsCookie() throws {
    let test = try TestServer { $0.address = "127.0.0.1" }
    #expect(test.address == "http://127.0.0.1:\(test.server.port)")
    #expect(try test.cookie().hasPrefix("auricle_\(test.server.port)="))
    #expect(try TestServer().cookie().hasPrefix("auricle="))
  }

  @Test func wrongAddressesAreRefused() throws {
    for address in ["here", "0.0.0.0", "::", "1.2.3", "", "192.0.2.1"] {
      #expect(throws: WebServerError.self, "\(address)") {
        try TestServer { $0.address = address }
      }
    }
    for host in ["", "a b", "a/b", "a:1", "ä"] {
      #expect(throws: WebServerError.self, "\(host)") { try TestServer { $0.hosts = [host] } }
    }
    let all = try TestServer {
      $0.address = "0.0.0.0"
      $0.hosts = ["stage.local"]
    }
    #expect(all.address == "http://stage.local:\(all.server.port)")
  }

  @Test func aPortThatIsNamedIsTakenOnce() throws {
    let first = try TestServer { $0.address = "127.0.0.1" }
    #expect(throws: WebServerError.self) {
      try TestServer {
        $0.address = "127.0.0.1"
        $0.port = first.server.port
      }
    }
    let port = first.server.port
    let other = try TestServer { $0.port = port }
    #expect(other.server.port == port && other.address != first.address)
  }

  @Test func theSecretIsTheUsersOwn() throws {
    let test = try TestServer()
    let path = test.folder.path + "/web.key"
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2 && lines[0] == test.address && lines[1].count == 64)
    // Neither the address nor the cookie has it.
    let secret = String(lines[1])
    #expect(!test.server.link().contains(secret))
    #expect(try !test.cookie().contains(secret))
    #expect(try TestServer().cookie() != test.cookie())
  }

  @Test func anotherAddressComesFromTheFile() throws {
    let test = try TestServer()
    for access in Access.allCases {
      let link = try WebServer.link(access, in: test.folder)
      let path = String(link.dropFirst(test.address.count))
      #expect(try test.ask("GET \(path) HTTP/1.1")?.status == 303)
    }
    // Others could read it.
    let path = test.folder.path + "/web.key"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(throws: WebServerError.self) { try WebServer.link(in: test.folder) }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(throws: Never.self) { try WebServer.link(in: test.folder) }
    // One server for a user.
    var options = WebOptions()
    options.folder = test.folder
    let error = #expect(throws: WebServerError.self) { try WebServer(options) }
    #expect(error?.description.contains(test.address) == true)
    test.server.close()
    #expect(throws: WebServerError.self) { try WebServer.link(in: test.folder) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func theRemainsOfAKilledServerAreReplaced() throws {
    let directory = try TemporaryDirectory()
    var options = WebOptions()
    options.folder = .init(environment: ["XDG_RUNTIME_DIR": directory.url.path])
    try FileManager.default.createDirectory(
      atPath: options.folder.path, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let secret = String(repeating: "0", count: 64)
    let path = options.folder.path + "/web.key"
    try Data("http://127.1.1.1:1\n\(secret)\n".utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
    #expect(throws: WebServerError.self) { try WebServer.link(in: options.folder) }
    let server = try WebServer(options)
    defer { server.close() }
    #expect(try WebServer.link(in: options.folder).hasPrefix(server.address))
    #expect(try !String(contentsOfFile: path, encoding: .utf8).contains(secret))
  }

  /// A server that starts while another one ends is found by its file too.
  @Test func serversThatStartAndEndAtOnceAreFound() throws {
    let directory = try TemporaryDirectory()
    let folder = ControlFolder(environment: ["XDG_RUNTIME_DIR": directory.url.path])
    let lost = Atomic(0)
    let started = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<500 {
        guard let file = try? AccessFile(in: folder) else { continue }
        started.add(1, ordering: .relaxed)
        let key = AccessKey()
        try? file.write(key, address: "http://127.1.1.1:1")
        if AccessFile.read(in: folder)?.key.hexadecimal != key.hexadecimal {
          lost.add(1, ordering: .relaxed)
        }
        file.remove()
      }
    }
    #expect(started.load(ordering: .relaxed) > 0 && lost.load(ordering: .relaxed) == 0)
  }

  @Test func theSecretIsAuthenticatedByHMAC() {
    // RFC 4231 has no key of 32 bytes; these are from Python's hmac.
    let key = AccessKey(hexadecimal: String(repeating: "0b", count: 32))
    #expect(
      key?.authentication(of: "Hi There")
        == "198a607eb44bfbc69903a0f1cf2bbdc5ba0aa3f3d9ae3c1c7a3b1696a0b68cf7")
    for text in ["", String(repeating: "0", count: 63), String(repeating: "g", count: 64)] {
      #expect(AccessKey(hexadecimal: text) == nil)
    }
  }
}
