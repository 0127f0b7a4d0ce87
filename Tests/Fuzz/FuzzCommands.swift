// Input from sockets and the network: any bytes give a command or an error.

import OSC
import Remotes
import Session

@Sendable func fuzzSessionWire(_ bytes: UnsafeRawBufferPointer) {
  guard let command = try? SessionWire.command(Array(bytes)) else { return }
  // An encoded command decodes to the same command.
  let again = try? SessionWire.command(SessionWire.encode(command))
  precondition(again == command)
}

@Sendable func fuzzOSCPacket(_ bytes: UnsafeRawBufferPointer) {
  do throws(OSCFault) {
    let packet = try OSCPacket(decoding: Array(bytes))
    precondition(packet.items.allSatisfy { $0.message.address.hasPrefix("/") })
  } catch {
    precondition(!error.description.isEmpty)
  }
}
