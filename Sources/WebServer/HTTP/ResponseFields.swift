// The fields of all responses.

import NIOHTTP1

extension HTTPHeaders {
  /// The fields that every response has: nothing is kept, nothing is loaded from elsewhere, and no
  /// other page may show this one in a frame.
  static func response(type: String, byteCount: Int) -> HTTPHeaders {
    [
      "Content-Type": type,
      "Content-Length": "\(byteCount)",
      "Content-Security-Policy":
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cache-Control": "no-store",
      "Connection": "close",
    ]
  }
}
