// The handlers of a connection.

import NIOCore
import NIOHTTP1
import NIOWebSocket

extension ChannelPipeline.SynchronousOperations {
  /// Adds the handlers that read a request, check it, and answer it or open a WebSocket.
  func addHTTPHandlers(_ state: ListenerState, _ channel: any Channel) throws {
    let encoder = HTTPResponseEncoder()
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = WebLimits.fieldBytes
    limits.maxHeaderListSize = WebLimits.headBytes
    limits.maxHeaderFieldCount = WebLimits.fields
    let decoder = ByteToMessageHandler(
      HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits))
    let connection = HTTPConnection(state)
    let fallback = UpgradeFallback(connection)
    let upgrade = HTTPServerUpgradeHandler(
      upgraders: [upgrader(NIOLoopBound(state, eventLoop: channel.eventLoop))],
      httpEncoder: encoder, extraHTTPHandlers: [decoder, connection, fallback],
      upgradeCompletionHandler: { _ in })
    try addHandlers(InputEnd(), encoder, decoder, connection, upgrade, fallback)
  }

  private func upgrader(_ state: NIOLoopBound<ListenerState>) -> NIOWebSocketServerUpgrader {
    NIOWebSocketServerUpgrader(
      maxFrameSize: state.value.limits.messageBytes, automaticErrorHandling: false,
      // The gate has checked the request.
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
      upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture {
          let access = state.value.upgrades.removeValue(forKey: ObjectIdentifier(channel))
          try channel.pipeline.syncOperations.addHandler(
            SocketConnection(state.value, access ?? .guest))
        }
      })
  }
}

/// Closes a connection whose client sends no more. It stays for as long as the connection, so that
/// the end is noticed at any time, also while a WebSocket opens.
private final class InputEnd: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }
}
