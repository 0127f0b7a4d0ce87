// The thread of a session's socket.

import CLocalSocket
import Glibc

/// A client with its descriptor.
private struct Client {
  let descriptor: Int32
  let peer: ControlPeer
}

extension ControlServer {
  /// Serves until the server closes.
  func serve() {
    var clients: [Client] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // If the process is out of descriptors, `accept` is retried within 100 ms.
    var isFull = false
    while !isClosing.load(ordering: .acquiring) {
      var polled = [
        pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isFull ? -1 : listener.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      polled += clients.map { client in
        let interest = client.peer.interest
        let events = (interest.toRead ? POLLIN : 0) | (interest.toWrite ? POLLOUT : 0)
        return pollfd(fd: client.descriptor, events: Int16(events), revents: 0)
      }
      let count = poll(&polled, nfds_t(polled.count), isFull ? 100 : -1)
      isFull = false
      if count < 0 { continue }
      if polled[0].revents != 0 { localSocketSleep(waker) }
      let states = polled.dropFirst(2).map(\.revents)
      clients = zip(clients, states).filter { client, state in
        if serve(client, Int32(state), &buffer) { return true }
        letGo(of: client)
        return false
      }.map(\.0)
      if polled[1].revents != 0 { isFull = !takeIn(&clients) }
    }
    for client in clients { letGo(of: client) }
  }

  /// - Returns: false if the client is to be disconnected.
  private func serve(_ client: Client, _ state: Int32, _ buffer: inout [UInt8]) -> Bool {
    let peer = client.peer
    if state & Int32(POLLOUT) != 0 && !peer.write(to: client.descriptor) { return false }
    if state & Int32(POLLIN) != 0 {
      let count = recv(client.descriptor, &buffer, buffer.count, 0)
      if count < 0 && errno != EAGAIN && errno != EINTR { return false }
      if count >= 0 { peer.take(buffer[..<count]) }
    } else if state & Int32(POLLHUP | POLLERR | POLLNVAL) != 0 {
      return false
    }
    if let line = peer.nextLine() {
      handler(line, peer)
    } else if peer.pendingBytes >= limits.lineBytes {
      peer.leave(with: refusal("a request is longer than \(limits.lineBytes) bytes"))
    }
    return !peer.isDone
  }

  /// Accepts up to 16 waiting clients.
  ///
  /// - Returns: false if descriptors or memory are used up.
  private func takeIn(_ clients: inout [Client]) -> Bool {
    for _ in 0..<16 {
      guard let descriptor = listener.accept() else {
        return ![EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
      }
      if descriptor < 0 { continue }
      let waker = waker
      let peer = ControlPeer { localSocketWake(waker) }
      guard clients.count < limits.clients else {
        peer.leave(with: refusal("\(limits.clients) clients are connected; end one"))
        _ = peer.write(to: descriptor)
        Glibc.close(descriptor)
        continue
      }
      clients.append(Client(descriptor: descriptor, peer: peer))
    }
    return true
  }

  private func letGo(of client: Client) {
    Glibc.close(client.descriptor)
    client.peer.goAway()
  }
}
