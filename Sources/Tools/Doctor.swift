// Checks of this machine for realtime audio.

import BuiltInUnits
import FoundationEssentials
import JackBackend
import Platform
import UnitModel

/// The result of one check.
public struct DoctorFinding: Sendable {
  public let subject: String
  /// A description of the problem and its remedy; nil if there is none.
  public let remedy: String?
}

/// Checks of the machine.
public enum Doctor {
  /// Returns all findings about realtime audio, the most important first.
  /// - Thread: [control]
  public static func examine(server: String? = nil) -> [DoctorFinding] {
    let limits = RealtimeLimits.current
    return [
      jackServer(server),
      DoctorFinding(
        subject: "realtime priority and locked memory",
        remedy: limits.remedies.isEmpty ? nil : limits.remedies.joined(separator: "; ")),
      soundFont, governor, swappiness,
    ].compactMap { $0 }
  }

  private static func jackServer(_ server: String?) -> DoctorFinding {
    do throws(JackError) {
      let client = try JackClient(name: "auricle-doctor", server: server)
      defer { client.close() }
      let subject =
        "JACK server at \(client.sampleRate) Hz, \(client.period) frames"
      if !client.isRealtime {
        return DoctorFinding(
          subject: subject, remedy: "the server runs without realtime priority: start jackd with -R"
        )
      }
      return DoctorFinding(subject: subject, remedy: nil)
    } catch {
      return DoctorFinding(subject: "JACK server", remedy: error.description)
    }
  }

  private static var soundFont: DoctorFinding? {
    let types = BuiltInComponents.all.map(\.unitType)
    guard let type = types.lazy.compactMap({ $0 as? any SoundFontHolding.Type }).first else {
      return nil
    }
    do {
      let file = try type.soundFontFile(named: "TimGM6mb.sf2")
      return DoctorFinding(subject: "SoundFont \(file.path)", remedy: nil)
    } catch {
      return DoctorFinding(subject: "SoundFont of the default session", remedy: "\(error)")
    }
  }

  private static var governor: DoctorFinding {
    let path = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
    // opens: the kernel's, which answers at once
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      return DoctorFinding(subject: "processor speed: not governed by this kernel", remedy: nil)
    }
    let governor = text.trimmed
    let isFine = ["performance", "schedutil"].contains(governor)
    return DoctorFinding(
      subject: "processor speed governor '\(governor)'",
      remedy: isFine
        ? nil
        : "the processor may slow down between cycles: sudo cpupower frequency-set -g performance")
  }

  private static var swappiness: DoctorFinding {
    let text = try? String(contentsOfFile: "/proc/sys/vm/swappiness", encoding: .utf8)
    let value = text.flatMap { Int($0.trimmed) } ?? 0
    return DoctorFinding(
      subject: "swappiness \(value)",
      remedy: value <= 60
        ? nil : "the kernel swaps eagerly: sudo sysctl vm.swappiness=10")
  }
}
