// Prints each figure as a ratio to its baseline, measured in the same run.

func column(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

func rounded(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  let fraction = String(hundredths % 100)
  return "\(hundredths / 100)." + (fraction.count < 2 ? "0" : "") + fraction
}

func report(_ name: String, unit: String, _ comparison: Comparison) {
  print(
    column(name, 32), column("ratio \(rounded(comparison.ratio))", 12),
    "\(rounded(comparison.ours)) \(unit), baseline \(rounded(comparison.baseline))")
}

for channelCount in [1, 2, 3, 8] {
  let benchmark = FilterBenchmark(channelCount: channelCount)
  guard benchmark.firstDifference() < 1e-6 else { fatalError("the filters' outputs differ") }
  let suffix = "\(channelCount) ch"
  report("filter, constant, \(suffix)", unit: "ns/frame/channel", benchmark.constant())
  report("filter, ramping, \(suffix)", unit: "ns/frame/channel", benchmark.ramping())
}

for unitCount in [1, 8, 64] {
  let benchmark = try GraphBenchmark(unitCount: unitCount)
  guard benchmark.passes() else { fatalError("the graph does not pass its input") }
  report("graph cycle, \(unitCount) units", unit: "ns/unit", benchmark.measure())
}
