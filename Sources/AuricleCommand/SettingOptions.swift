// Settings in place of a configuration's.

import ArgumentParser
import Configuration

/// The option of commands that open a configuration.
struct SettingOptions: ParsableArguments {
  @Option(
    name: .customLong(String(UnitSetting.option.dropFirst(2))),
    help: ArgumentHelp(
      """
      Set a key or parameter of a unit in place of the file's, such as backing/file=track.flac or lowpass/cutoff=900. \
      Can be given more than once.
      """, valueName: "unit/key=value"))
  var set: [String] = []

  /// - Throws: `ConfigurationError` for a text of another form.
  func read() throws(ConfigurationError) -> [UnitSetting] {
    var problems = ProblemCollector()
    let settings = set.compactMap { text in
      problems.attempt { () throws(ConfigurationProblem) in try UnitSetting(text) }
    }
    try problems.finish()
    return settings
  }
}
