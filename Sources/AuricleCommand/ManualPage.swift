// The manual page, generated from the commands' descriptions.

import Glibc

/// The manual page, generated from the parser's description of the commands.
enum ManualPage {
  /// Returns the page in roff, with man macros.
  static func text() throws -> String {
    let command = try CommandDescription.ofProgram()
    let version = AuricleCommand.configuration.version
    var lines = [
      ".TH AURICLE 1 \"\" \"Auricle \(version)\" \"User Commands\"", ".SH NAME",
      "auricle \\- \(escaped(command.abstract ?? ""))", ".SH SYNOPSIS",
    ]
    for (index, call) in command.calls.enumerated() {
      lines += (index == 0 ? [] : [".br"]) + [synopsis(of: call.command, called: call.words)]
    }
    lines.append(".SH COMMANDS")
    for command in command.shownSubcommands {
      lines += section(of: command, called: command.commandName)
      for call in command.calls {
        lines += section(of: call.command, called: "\(command.commandName) \(call.words)")
      }
    }
    return (lines + [closing]).joined(separator: "\n")
  }

  private static func synopsis(
    of command: CommandDescription, called words: String
  ) -> String {
    let parts = command.shownArguments.map { argument in
      let text = usage(of: argument)
      return argument.isOptional ? "[\(text)]" : text
    }
    return (["\\fBauricle \(escaped(words))\\fR"] + parts).joined(separator: " ")
  }

  private static func section(
    of command: CommandDescription, called words: String
  ) -> [String] {
    var lines = [".SS auricle \(escaped(words))"]
    lines += [command.abstract, command.discussion].compactMap { $0 }.flatMap {
      [escaped($0), ".PP"]
    }
    for argument in command.shownArguments {
      lines += [".TP", usage(of: argument), escaped(argument.abstract ?? "")]
      if let value = argument.shownDefault {
        lines.append(escaped("Default: \(value)."))
      }
    }
    return lines
  }

  /// Returns an argument's usage: "\fB--server\fR \fISERVER\fR".
  private static func usage(of argument: CommandDescription.Argument) -> String {
    let value = "\\fI\(escaped(argument.valueWord))\\fR"
    guard let name = argument.option else { return value }
    let option = "\\fB\(escaped(name))\\fR"
    return argument.isFlag ? option : "\(option) \(value)"
  }

  /// Escapes text for roff.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .split(separator: "\n", omittingEmptySubsequences: true)
      .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&\($0)" : String($0) }
      .joined(separator: "\n")
  }

  private static let closing = #"""
    .SS All commands
    .TP
    .BR \-h ", " \-\-help
    Show what there is to say of a command.
    .TP
    .B \-\-version
    Show the version.
    .SH EXIT STATUS
    .TP
    0
    Success; also when \fBrun\fR or \fBplay\fR was ended by SIGINT, SIGTERM or the end of its terminal.
    .TP
    1
    Something failed: no server, a server that went away, a file or standard output that cannot be written.
    .TP
    2
    Bad usage or a bad configuration.
    .PP
    A second signal, or three seconds in which a command did not come to its end, end it at once, with status 1.
    On a machine whose processors are all busy there are up to fifteen seconds.
    .SH ENVIRONMENT
    .TP
    .B JACK_DEFAULT_SERVER
    The JACK server where \fB\-\-server\fR names none.
    .TP
    .B NSM_URL
    The session manager to which \fBauricle run\fR belongs, as does \fBauricle\fR alone where this is set.
    .TP
    .B NOTIFY_SOCKET
    The service manager to which \fBrun\fR, \fBplay\fR and \fBrecord\fR report that they are ready, and that they
    end, as services of the type \fInotify\fR.
    .TP
    .BR XDG_CONFIG_HOME ", " XDG_CONFIG_DIRS
    Where configurations are found by name, in a folder \fIauricle\fR.
    .TP
    .B XDG_RUNTIME_DIR
    Where sessions that run listen to \fBauricle ctl\fR, in a folder \fIauricle\fR; \fI/tmp/auricle\-UID\fR where it is
    not set.
    .TP
    .BR XDG_DATA_HOME ", " XDG_DATA_DIRS
    Where SoundFonts and user presets are found.
    .TP
    .B XDG_STATE_HOME
    Where changes are kept that are not saved, in a folder \fIauricle/recovery\fR.
    .SH FILES
    .TP
    .I ~/.config/auricle/*.toml
    Your configurations.
    .TP
    .I PREFIX/share/auricle/config/*.toml
    The configurations that come with Auricle.
    .TP
    .I ~/.local/share/auricle/presets
    User presets.
    .TP
    .I ~/.local/state/auricle/recovery
    Changes of sessions that were not saved: \fBauricle run \-\-recover\fR.
    .SH EXAMPLES
    .TP
    .B auricle play TimGM6mb.sf2 song.mid
    Plays a MIDI file; without it, the SoundFont from every MIDI keyboard.
    .TP
    .B auricle run
    Plays a piano through a filter, from every MIDI keyboard to the loudspeakers.
    .TP
    .B auricle run layers --start-server dummy
    The configuration \fIlayers\fR, on a server without sound card where none runs.
    .TP
    .B auricle bounce general-midi --midi song.mid --output song.wav
    Renders a MIDI file.
    .SH SEE ALSO
    .BR jackd (1),
    .BR jack_lsp (1),
    .BR jack_connect (1),
    .BR fluidsynth (1)
    """#
}
