// The parameters of the stage that gives notes other velocities.

import MIDIKernel
import UnitModel

extension MIDIChainLayout.Stage {
  /// The indices here are those of the stage's `setParameter`, and in order.
  var velocityParameters: [ParameterNode] {
    [
      channelGroup(name: "Channels"),
      choice(
        "curve", "Curve", 16, ["Linear", "Exponential", "Logarithmic", "Fixed", "Points"]),
      number("shape", "Shape of the Curve", 17, 0.1...10, 3, .generic),
      whole("fixed", "Fixed Velocity", 18, 1...127, 100, .generic),
      whole("outputLow", "Lowest Output", 19, 1...127, 1, .generic),
      whole("outputHigh", "Highest Output", 20, 1...127, 127, .generic),
      number("compand", "Compand", 21, 0...4, 1, .ratio),
      whole("compandCenter", "Compand around", 22, 1...127, 64, .generic),
      ParameterGroup(identifier: "points", name: "Points", children: (0..<8).map(point)),
    ]
  }

  private func point(_ index: Int) -> ParameterNode {
    let address = UInt64(23 + 2 * index)
    return ParameterGroup(
      identifier: "\(index + 1)", name: "Point \(index + 1)",
      children: [
        whole("in", "Input (0: no point)", address, 0...127, 0, .generic),
        whole("out", "Output", address + 1, 1...127, 1, .generic),
      ])
  }
}
