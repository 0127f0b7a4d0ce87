// General keys of `[[unit]]`, with their descriptions.

/// A key that belongs to no kind of unit, with its description in Markdown.
package struct GeneralUnitKey: Sendable {
  package let name: String
  package let values: String
  package let standard: String
  package let meaning: String

  package static let all = required + optional

  package static let requiredNames = required.map(\.name)

  static let required = [
    GeneralUnitKey(
      name: "id", values: "1 to 64 letters, digits, `-`, `_`", standard: "required",
      meaning: "Names the unit and its ports; not `control` or `physical`"),
    GeneralUnitKey(
      name: "component", values: "a name or codes, see [Components](Components.md)",
      standard: "required", meaning: "The kind of unit"),
  ]

  static let optional =
    [
      GeneralUnitKey(
        name: "preset", values: "a factory or user preset, or an entry's name", standard: "none",
        meaning: "The parameters to start from"),
      GeneralUnitKey(
        name: "parameters", values: "a table of key paths", standard: "the defaults",
        meaning: "Values, set after the preset"),
      GeneralUnitKey(
        name: "midi", values: "an array of [stages](MIDIStages.md)", standard: "none",
        meaning: "For `sampler` and `midi`: stages that MIDI passes first"),
    ] + UnitSwitch.allCases.map(\.generalKey) + [
      GeneralUnitKey(
        name: "place", values: "two numbers, such as `[120, 40]`", standard: "none",
        meaning: "Where its box is in the [patchbay](Web.md#patchbay), in pixels"),
      GeneralUnitKey(
        name: "state", values: "a file beside this one", standard: "none",
        meaning: "Saved state that TOML cannot express; before `preset`"),
    ]
}
