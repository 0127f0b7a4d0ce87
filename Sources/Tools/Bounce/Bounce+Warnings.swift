// Warnings of a bounce.

import Glibc
import Graph
import MediaFiles
import Session
import UnitModel

extension Bounce {
  /// Warns of files that no unit uses.
  func warnOfUnusedInput(_ midi: MIDIFile?, _ input: BounceInput?, ports: GraphPorts) {
    if let midi, let url = options.midi {
      let file = url.relativePath
      if ports.midiInputs.isEmpty {
        warn("no unit takes the MIDI of \(file): \(Self.noInput("MIDI"))")
      } else if !midi.hasNotes {
        warn("\(file) has no notes")
      }
    }
    guard let input else { return }
    if ports.audioInputs.isEmpty {
      warn("no unit takes the audio of \(input.file): \(Self.noInput("audio"))")
    } else if input.channelCount > 1, input.channelCount > input.usedChannels {
      let (all, used) = (input.channelCount, input.usedChannels)
      warn("\(input.file) has \(all) channels, of which \(used) are used")
    }
  }

  private static func noInput(_ kind: String) -> String {
    "no unit has \(kind) inputs that are open to the outside"
  }

  /// Warns of problems that did not end the bounce.
  func warnOfResult(
    _ result: BounceResult, clippedSamples: Int, _ input: BounceInput?, ports: GraphPorts
  ) {
    if let input, input.frameCount == 0 { warn("\(input.file) is empty") }
    if result.refusedMIDI > 0 { warn("MIDI messages that found no room: \(result.refusedMIDI)") }
    for node in plan.graph.nodes {
      for news in (node.unit as? any ReportingUnit)?.takeNews() ?? [] where news.kind == .failed {
        warn("\(node.id): \(news.text)")
      }
    }
    let units = plan.graph.nodes.map { ($0.id, $0.unit) }
    for line in SessionCounts(units: units).lines { warn(line) }
    if clippedSamples > 0 {
      let decibels = (20 * log10(Double(result.peak)) * 10).rounded(.up) / 10
      warn(
        "\(clippedSamples) samples were cut off at full scale, the highest \(decibels) dB above it:"
          + " lower a gain by that, or write float")
    }
    if result.peak == 0 {
      let isOpen = input == nil && !ports.audioInputs.isEmpty
      warn("\(options.output.relativePath) is silent" + (isOpen ? "; there was no --input" : ""))
    }
  }
}
