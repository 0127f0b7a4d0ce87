// Presets loaded by program changes, and the folders of the presets.

import Configuration
import Effects
import Foundation
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct PresetTriggerTests {
  private let folder: TemporaryDirectory
  private let rig: DocumentRig
  private let filter: AudioUnit

  init() async throws {
    folder = try TemporaryDirectory()
    let file = try folder.write(
      """
      [[unit]]
      id = "lowpass"
      component = "filter"
      [[unit]]
      id = "other"
      component = "filter"
      """, to: "session.toml")
    rig = DocumentRig.editable(try await DocumentRig(file).plan)
    filter = rig.control.units[0].unit
    filter.presetStore = PresetStore(
      component: filter.componentDescription, root: folder.file("presets"))
    _ = try filter.saveUserPreset(named: "Mine")
  }

  /// The folder may hang or be gone. It is read only when a preset is mapped.
  @Test func anEditDoesNotReadTheFolderOfAPresetThatIsMapped() async throws {
    try await rig.ask(.map(path: "preset=lowpass/Mine", settings: ["program=1"]))
    try FileManager.default.removeItem(at: folder.file("presets"))
    try Data().write(to: folder.file("presets"))
    try await rig.ask(.connect(from: "lowpass", to: "other"))
    try await rig.ask(.map(path: "other/cutoff", settings: ["controller=1"]))
    #expect(rig.control.store?.origin.configuration.mappings.count == 2)
    try await rig.ask(.undo(steps: 2))
    let left = rig.control.store?.origin.configuration
    #expect(left?.mappings.count == 1)
    #expect(left?.connections.contains { $0.to.value.unit == "other" } == false)
    // A new mapping reads the folder.
    #expect(
      await rig.refusal(.map(path: "preset=lowpass/Yours", settings: ["program=2"])).contains(
        folder.file("presets").path))
  }

  @Test func aPresetThatThereIsNotIsNotMapped() async throws {
    let refusal = await rig.refusal(.map(path: "preset=lowpass/Min", settings: ["program=1"]))
    #expect(refusal.contains("Min") && refusal.contains("Mine"), "\(refusal)")
    try await rig.ask(.map(path: "preset=lowpass/Mine", settings: ["program=1"]))
    // The replacing unit has no preset of that name.
    #expect(
      await rig.refusal(.replace(unit: "lowpass", component: "delay", settings: [])).contains(
        "Mine"))
  }
}
