// The registry of the process, as a program sees it.

import Auricle
import AuricleHost
import Testing

@Suite struct SharedRegistryTests {
  @Test func theRegistryOfTheProcessHasTheBuiltInComponents() throws {
    let effects = ComponentRegistry.shared.components(
      matching: ComponentDescription(type: .effect))
    #expect(effects.map(\.shortName).contains("filter"))
    #expect(
      BuiltInComponents.all.map(\.shortName).allSatisfy(
        Set(ComponentRegistry.shared.components.map(\.shortName)).contains))
    let reverb = try ComponentRegistry.shared.component(named: "reverb")
    #expect(try ComponentRegistry.shared.makeUnit(of: reverb) is ReverbUnit)
  }

  @Test func aProgramsComponentIsFoundBesideTheBuiltInOnes() throws {
    try ComponentRegistry.shared.register(
      Component("aufx", "shrd", "Test", name: "Shared") { description in
        try FilterUnit(componentDescription: description)
      })
    #expect(try ComponentRegistry.shared.component(named: "shared").unitType == FilterUnit.self)
    #expect(throws: RegistrationError.self) {
      try ComponentRegistry.shared.register(FilterUnit.component)
    }
  }
}
