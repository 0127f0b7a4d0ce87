import Foundation
import Glibc
import Platform
import Testing

@Suite struct PipeTests {
  @Test func bytesPassAndBothEndsCloseInOtherPrograms() throws {
    let ends = try openPipe()
    defer { close(ends.read) }
    for end in [ends.read, ends.write] { #expect(fcntl(end, F_GETFD) == FD_CLOEXEC) }
    #expect(write(ends.write, "ab", 2) == 2)
    close(ends.write)
    let data = FileHandle(fileDescriptor: ends.read).readDataToEndOfFile()
    #expect(data == Data("ab".utf8))
  }
}
