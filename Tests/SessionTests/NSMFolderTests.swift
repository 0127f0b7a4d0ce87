// The folder of a managed session, with all files that the session needs.

import Foundation
import TestSupport
import Testing

@testable import Remotes
@testable import Session
@testable import SessionModel

@Suite struct NSMFolderTests {
  private let directory: TemporaryDirectory
  private let project: SessionFolder

  init() throws {
    directory = try TemporaryDirectory()
    project = SessionFolder(directory.file("song/Auricle.nONE"))
    try FileManager.default.createDirectory(at: project.url, withIntermediateDirectories: true)
  }

  /// Writes a SoundFont. Two of one name differ in size, by their number of presets.
  private func font(_ name: String, presets: Int = 1) throws -> URL {
    let zone = SoundFontMaker.Zone(sample: .constant(), releaseSeconds: 0.1)
    let url = directory.file(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try SoundFontMaker(
      presets: (0..<presets).map { .init(program: UInt16($0), name: "P\($0)", zones: [zone]) }
    ).write(to: url)
    return url
  }

  /// Starts a session of a configuration, as `NSMClient` begins a project with it.
  private func begin(_ fonts: URL...) async throws -> DocumentRig {
    let units = fonts.enumerated().map { index, font in
      "[[unit]]\nid = \"s\(index)\"\ncomponent = \"sampler\"\nsoundfont = \"\(font.path)\"\n"
    }
    let file = try directory.write(units.joined(), to: "begin.toml")
    var rig = try await DocumentRig(file)
    let store = SessionStore(rig.plan.origin, in: project)
    rig.control.store = store
    let document = try #require(rig.document)
    _ = try store.save(document, to: project.file.path)
    return rig
  }

  private func link(_ name: String) -> String? {
    let path = project.url.appendingPathComponent("files/\(name)").path
    return try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  private var text: String {
    (try? String(contentsOf: project.file, encoding: .utf8)) ?? ""
  }

  @Test func soundFontsAreLinkedIntoItAndNamedFromIt() async throws {
    let (one, other) = (try font("fonts/a.sf2"), try font("others/a.sf2", presets: 2))
    let rig = try await begin(one, other)
    #expect(link("a.sf2") == one.path && link("a-2.sf2") == other.path)
    #expect(text.contains("file = \"files/a.sf2\"") && text.contains("file = \"files/a-2.sf2\""))
    #expect(!text.contains(directory.url.path))
    // Saved again, and with a font that was loaded meanwhile.
    let third = try font("third/b.sf2", presets: 3)
    try await rig.ask(.save(file: nil))
    #expect(link("a-3.sf2") == nil)
    try await rig.ask(.soundFont(unit: "s0", file: third.path))
    try await rig.ask(.save(file: nil))
    #expect(link("b.sf2") == third.path && text.contains("\"files/b.sf2\""))
    // A font restored by an undo has its link.
    try await rig.ask(.undo(steps: 1))
    try await rig.ask(.save(file: nil))
    #expect(text.contains("\"files/a.sf2\"") && link("a.sf2") == one.path)
    let moved = SessionFolder(directory.file("elsewhere/Auricle.nTWO"))
    try FileManager.default.createDirectory(
      at: directory.file("elsewhere"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: project.url, to: moved.url)
    let again = try await DocumentRig(moved.file)
    #expect(again.plan.remarks == [] && again.values == rig.values)
  }

  /// A file as from an archiver that follows links.
  @Test func aFileThatIsInItStays() async throws {
    let one = try font("fonts/a.sf2")
    _ = try await begin(one)
    let inside = project.url.appendingPathComponent("files/a.sf2")
    try FileManager.default.removeItem(at: inside)
    try FileManager.default.copyItem(at: one, to: inside)
    var again = try await DocumentRig(project.file)
    again.control.store = SessionStore(again.plan.origin, in: project)
    // Another file of the same name does not replace it.
    let other = try font("others/a.sf2", presets: 2)
    try await again.ask(.save(file: nil))
    #expect(link("a.sf2") == nil && text.contains("\"files/a.sf2\""))
    try await again.ask(.soundFont(unit: "s0", file: other.path))
    try await again.ask(.save(file: nil))
    #expect(link("a.sf2") == nil && link("a-2.sf2") == other.path)
    #expect(try Data(contentsOf: inside) == Data(contentsOf: one))
  }

  @Test func linksThatNobodyNeedsGoAndOthersStay() async throws {
    let (one, other) = (try font("fonts/a.sf2"), try font("others/b.sf2", presets: 2))
    let rig = try await begin(one, other)
    try FileManager.default.removeItem(at: other)
    // The name of a broken link is free.
    let new = try font("new/b.sf2", presets: 3)
    try await rig.ask(.soundFont(unit: "s1", file: new.path))
    try await rig.ask(.save(file: nil))
    #expect(link("b.sf2") == new.path && link("b-2.sf2") == nil)
    try project.link("files/stray.sf2", to: one.path)
    try project.link("files/told.sf2", to: one.path)
    let used = Set(["a.sf2", "b.sf2"].map { project.url.path + "/files/" + $0 })
    project.removeLinks(but: used, namedIn: "soundfont = \"files/told.sf2\"")
    #expect(link("stray.sf2") == nil && link("told.sf2") == one.path)
    #expect(link("a.sf2") == one.path && link("b.sf2") == new.path)
  }

  @Test func savingOutsideTheProjectIsRefused() async throws {
    let rig = try await begin(try font("fonts/a.sf2"))
    let refusal = await rig.refusal(.save(file: directory.file("other.toml").path))
    #expect(refusal.contains("where its session manager wants it"))
    #expect(await rig.refusal(.save(file: project.file.path)).contains("saved"))
  }
}
