// The parameters of the stage that gives notes other velocities.

import MIDIStages
import UnitModel

extension MIDIChainLayout.Stage {
  var velocityParameters: [ParameterNode] {
    [
      channelGroup,
      choice(
        "curve", "Curve", VelocityParameter.curve,
        ["Linear", "Exponential", "Logarithmic", "Fixed", "Points"]),
      number("shape", "Shape of the Curve", VelocityParameter.shape, 0.1...10, 3, .generic),
      whole("fixed", "Fixed Velocity", VelocityParameter.fixed, 1...127, 100, .generic),
      whole("outputLow", "Lowest Output", VelocityParameter.outputLow, 1...127, 1, .generic),
      whole("outputHigh", "Highest Output", VelocityParameter.outputHigh, 1...127, 127, .generic),
      number("compand", "Compand", VelocityParameter.compand, 0...4, 1, .ratio),
      whole(
        "compandCenter", "Compand around", VelocityParameter.compandCenter, 1...127, 64, .generic),
      ParameterGroup(
        identifier: "points", name: "Points",
        children: (0..<VelocityParameter.pointCount).map(point)),
    ]
  }

  private func point(_ index: Int) -> ParameterNode {
    let points = VelocityParameter.points
    return ParameterGroup(
      identifier: "\(index + 1)", name: "Point \(index + 1)",
      children: [
        whole("in", "Input (0: no point)", points, plus: 2 * index, 0...127, 0, .generic),
        whole("out", "Output", points, plus: 2 * index + 1, 1...127, 1, .generic),
      ])
  }
}
