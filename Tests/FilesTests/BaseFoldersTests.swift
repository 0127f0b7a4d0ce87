// Folders of a user and of the system, by the XDG base directory specification.

import Files
import Foundation
import Testing

@Suite struct BaseFoldersTests {
  @Test func withoutVariablesTheyAreBelowTheHomeFolder() {
    let folders = BaseFolders(["HOME": "/home/me"])
    #expect(folders.home?.path == "/home/me")
    #expect(folders.configuration?.path == "/home/me/.config")
    #expect(folders.data?.path == "/home/me/.local/share")
    #expect(folders.state?.path == "/home/me/.local/state")
    #expect(folders.systemConfiguration.map(\.path) == ["/etc/xdg"])
    #expect(folders.systemData.isEmpty)
  }

  @Test func aVariableCountsIfItIsAnAbsolutePath() {
    let folders = BaseFolders([
      "HOME": "/home/me", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "d", "XDG_STATE_HOME": "",
      "XDG_CONFIG_DIRS": "/e:f::/g", "XDG_DATA_DIRS": "h:/i",
    ])
    #expect(folders.configuration?.path == "/c")
    #expect(folders.data?.path == "/home/me/.local/share")
    #expect(folders.state?.path == "/home/me/.local/state")
    #expect(folders.systemConfiguration.map(\.path) == ["/e", "/g"])
    #expect(folders.systemData.map(\.path) == ["/i"])
  }

  @Test func withoutAHomeThereAreNone() {
    for home in [nil, "", "me"] {
      let folders = BaseFolders(["HOME": home].compactMapValues { $0 })
      #expect(
        folders.home == nil && folders.configuration == nil && folders.data == nil
          && folders.state == nil)
    }
  }
}
