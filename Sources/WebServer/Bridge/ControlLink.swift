// A connection to a session.

import ControlSocket
import NIOCore
import NIOPosix

/// A connection to the control socket of a session: requests are answered in their order, and other
/// lines are notices. Used on the event loop only.
final class ControlLink {
  /// Receives an answer, an object of JSON; nil if the session has ended.
  typealias Answer = ([UInt8]?) -> Void

  let session: String
  private let notice: ([UInt8]) -> Void
  private let ended: () -> Void
  private var answers: CircularBuffer<Answer> = []
  private var channel: EventLoopFuture<any Channel>?
  private(set) var isOpen = true

  /// Connects, and names the client.
  ///
  /// - Parameters:
  ///   - notice: receives lines that are no answers.
  ///   - ended: called once when the session has ended the connection.
  /// - Throws: `ControlError`
  init(
    _ session: String, in folder: ControlFolder, name: String, _ loop: any EventLoop,
    notice: @escaping ([UInt8]) -> Void, ended: @escaping () -> Void
  ) throws(ControlError) {
    (self.session, self.notice, self.ended) = (session, notice, ended)
    let socket = try folder.connect(to: session)
    let bound = NIOLoopBound(self, eventLoop: loop)
    channel = ClientBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ControlInput(bound.value))
        }
      }
      .withConnectedSocket(socket)
    channel?.assumeIsolated().whenFailure { [weak self] _ in self?.end() }
    let hello = JSONValue.object(["command": .text("hello"), "name": .text(name)])
    send(hello.line) { _ in }
  }

  /// Sends a request, a line without its end.
  func send(_ line: [UInt8], _ answer: @escaping Answer) {
    guard isOpen, let channel else { return answer(nil) }
    answers.append(answer)
    let bytes = ByteBuffer(bytes: line + [10])
    channel.whenSuccess { $0.writeAndFlush(bytes, promise: nil) }
  }

  /// Ends the connection, without a call of `ended`.
  func close() {
    isOpen = false
    channel?.whenSuccess { $0.close(promise: nil) }
    failAnswers()
  }

  fileprivate func take(_ line: [UInt8]) {
    let isAnswer = line.starts(with: Self.answerStart) || line.starts(with: Self.errorStart)
    if isAnswer, let answer = answers.popFirst() { answer(line) } else if isOpen { notice(line) }
  }

  fileprivate func end() {
    guard isOpen else { return }
    isOpen = false
    failAnswers()
    ended()
  }

  private func failAnswers() {
    while let answer = answers.popFirst() { answer(nil) }
  }

  private static let answerStart = Array("{\"answer\":".utf8)
  private static let errorStart = Array("{\"error\":".utf8)
}

/// Splits what a session sends into lines.
private final class ControlInput: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// The longest line. The answers of sessions are far shorter.
  private static let lineBytes = 16 << 20
  private let link: ControlLink
  private var input = ByteBuffer()
  /// The number of bytes that are known to have no line end.
  private var searched = 0

  init(_ link: ControlLink) { self.link = link }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    input.writeBuffer(&bytes)
    while true {
      let view = input.readableBytesView
      guard let end = view[(view.startIndex + searched)...].firstIndex(of: 10) else { break }
      let line = input.readBytes(length: end - view.startIndex) ?? []
      input.moveReaderIndex(forwardBy: 1)
      searched = 0
      link.take(line)
    }
    searched = input.readableBytes
    input.discardReadBytes()
    if searched > Self.lineBytes { context.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) { link.end() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
