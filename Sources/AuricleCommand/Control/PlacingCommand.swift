// auricle ctl place

import ArgumentParser
import Configuration
import SessionModel

struct PlacingCommand: CombinableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place",
    abstract:
      "Place the box of a unit in the patchbay of the browser; without X and Y, forget its place.",
    discussion: "Pixels to the right and down, as 'place' in [[unit]].")

  @Argument(help: "The unit.", completion: .custom(completedUnits))
  var unit: String

  // An array, so that a number may begin with a minus.
  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The place.", valueName: "x y"))
  var place: [String] = []

  @OptionGroup var options: ControlOptions

  func validate() throws {
    let values = place.compactMap { Double($0) }.filter(BoxPosition.range.contains)
    guard values.count == place.count, [0, 2].contains(place.count) else {
      throw ValidationError("a place is two numbers from -100000 to 100000, or none")
    }
  }

  var command: SessionCommand {
    let values = place.compactMap { Double($0) }
    return .place(unit: unit, values.count == 2 ? BoxPosition(x: values[0], y: values[1]) : nil)
  }
}
