// Every type of a public signature can be named by a program that imports the two libraries.

import Auricle
import AuricleHost
import Testing

/// The types that `AuricleHost` exports one by one. This file imports no other module, so that it
/// does not compile without their exports.
let typesExportedOneByOne: [Any.Type] = [
  CommandConfiguration.self, JackPortFlags.self, ControlError.self, ControlFolder.self,
  DistanceModel.self, EqualizerBandKind.self, HeadMeasurement.self, ListenerAxes.self,
  ReverbPreset.self, SpatialVector.self, RenderHelper.self, Schedule.self, SecondCore.self,
  Logger.self,
]

@Suite struct NameTests {
  @Test func aProgramUsesTypesOfOtherModules() throws {
    let scene = try EnvironmentUnit()
    let ahead = SpatialVector(x: 0, y: 0, z: -1)
    scene.setPosition(ofInput: 0, to: ahead)
    scene.listenerPosition = ahead
    let (model, room): (DistanceModel, ReverbPreset) = (.linear, .cathedral)
    let (distance, reverb) = (scene.distance, scene.reverb)
    distance.model = model
    reverb.preset = room
    #expect(scene.distance.model == model && scene.reverb.preset == room)
    #expect(
      (JackPortIsInput.rawValue | JackPortIsOutput.rawValue) & JackPortIsPhysical.rawValue == 0)
    var log = Logger(label: "program")
    log.logLevel = .error
    _ = try Engine(.offline(sampleRate: 48_000), log: log)
    #expect(ControlFolder(environment: ["XDG_RUNTIME_DIR": "/run/x"]).path.hasPrefix("/run/x"))
  }
}
