// The thread of an OSC server.

import CLocalSocket
import CNetworkSocket
import Glibc

/// A connection with its descriptor and received bytes.
private struct Client {
  let descriptor: Int32
  let peer: OSCPeer
  let connection: OSCConnection
  var stream = OSCStream()
}

extension OSCServer {
  /// Serves until the server closes.
  func serve() {
    var clients: [Client] = []
    var number = 0
    var buffer = [UInt8](repeating: 0, count: OSCPacket.maximumBytes)
    // If the process is out of descriptors, `accept` is retried within 100 ms.
    var isFull = false
    while !isClosing.load(ordering: .acquiring) {
      var polled = [
        pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
        pollfd(fd: datagrams, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isFull ? -1 : listener, events: Int16(POLLIN), revents: 0),
      ]
      polled += clients.map { client in
        let events = POLLIN | (client.connection.isWaiting ? POLLOUT : 0)
        return pollfd(fd: client.descriptor, events: Int16(events), revents: 0)
      }
      let count = poll(&polled, nfds_t(polled.count), isFull ? 100 : -1)
      isFull = false
      if count < 0 { continue }
      if polled[0].revents != 0 { localSocketSleep(waker) }
      if polled[1].revents != 0 { takeDatagrams(&buffer) }
      for index in clients.indices.reversed() {
        let state = Int32(polled[3 + index].revents)
        if serve(&clients[index], state, &buffer) { continue }
        letGo(of: clients.remove(at: index))
      }
      if polled[2].revents != 0 { isFull = !takeIn(&clients, &number) }
    }
    for client in clients { letGo(of: client) }
  }

  /// Receives up to 64 waiting datagrams, so that connections also get their turn.
  private func takeDatagrams(_ buffer: inout [UInt8]) {
    for _ in 0..<64 {
      var from = NetworkAddress()
      let count = networkSocketReceive(datagrams, &buffer, buffer.count, &from)
      if count < 0 { return }
      let peer = OSCPeer(place: OSCEndpoint(from), connection: nil)
      handle(Array(buffer[..<min(count, buffer.count)]), of: peer)
    }
  }

  private func handle(_ bytes: [UInt8], of peer: OSCPeer) {
    do throws(OSCFault) { handler.packet(try OSCPacket(decoding: bytes), peer) } catch {
      handler.fault(error, peer)
    }
  }

  /// - Returns: false if the connection has ended.
  private func serve(_ client: inout Client, _ state: Int32, _ buffer: inout [UInt8]) -> Bool {
    if !client.connection.flush(to: client.descriptor) {
      // `send` may just have ended it, on another thread.
      if client.connection.isOver {
        handler.fault(OSCFault("a connection that does not read its answers"), client.peer)
      }
      return false
    }
    guard state & Int32(POLLIN) != 0 else {
      return state & Int32(POLLHUP | POLLERR | POLLNVAL) == 0
    }
    let count = recv(client.descriptor, &buffer, 16_384, 0)
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    if count == 0 { return false }
    client.stream.take(buffer[..<count])
    do throws(OSCFault) {
      while let packet = try client.stream.next() {
        client.connection.write(inSlip: client.stream.isSlip)
        handle(packet, of: client.peer)
      }
      return true
    } catch {
      // The start of the next packet is unknown.
      handler.fault(error, client.peer)
      return false
    }
  }

  /// Accepts up to 16 waiting connections.
  ///
  /// - Returns: false if descriptors or memory are used up.
  private func takeIn(_ clients: inout [Client], _ number: inout Int) -> Bool {
    for _ in 0..<16 {
      var from = NetworkAddress()
      let descriptor = networkSocketAccept(listener, &from)
      guard descriptor >= 0 else {
        return ![EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
      }
      number += 1
      let peer = OSCPeer(place: OSCEndpoint(from), connection: number)
      guard clients.count < Self.maximumConnections else {
        handler.fault(OSCFault("more than \(Self.maximumConnections) connections"), peer)
        Glibc.close(descriptor)
        continue
      }
      let connection = OSCConnection()
      connections.withLock { $0[number] = connection }
      clients.append(Client(descriptor: descriptor, peer: peer, connection: connection))
    }
    return true
  }

  private func letGo(of client: Client) {
    _ = connections.withLock { $0.removeValue(forKey: client.peer.connection ?? 0) }
    Glibc.close(client.descriptor)
    handler.end(client.peer)
  }
}
