// The keys of sections.

/// The keys of each section of a configuration but `[[unit]]`, whose keys depend on the component.
package enum SectionKeys {
  package static let client = ["name"]
  package static let osc = ["port", "transport", "address"]
  package static let connect = ["from", "to"]
  package static let map =
    MappingConfiguration.targetKeys + MappingConfiguration.sourceKeys
    + ["channel", "bank", "range", "curve", "shape", "mode", "pickup", "ramp", "feedback"]
  package static let scene = ["name", "parameters", "bypass", "entries", "connections"]
}
