// The codes of addresses, each of which is good once.

import Glibc

/// Makes codes. Whoever may read the secret can, so that the running server need not be asked.
enum AccessCode {
  /// The time in seconds for which a code is good.
  static let seconds: Int64 = 300

  /// Access, expiry and a number that is used once, and the authentication of these.
  static let (expiryDigits, nonceDigits, proofDigits) = (8, 16, 32)

  /// Returns a new code.
  /// - Parameter now: seconds since the system's start.
  static func make(_ access: Access, _ key: AccessKey, now: Int64 = now()) -> String {
    let expiry = String(now + seconds, radix: 16)
    let nonce = AccessKey.text((0..<nonceDigits / 2).map { _ in .random(in: .min ... .max) })
    let padding = String(repeating: "0", count: max(0, expiryDigits - expiry.count))
    let claim = "\(access.rawValue)\(padding)\(expiry)\(nonce)"
    return claim + proof(of: claim, key)
  }

  static func proof(of claim: String, _ key: AccessKey) -> String {
    String(key.authentication(of: "code \(claim)").prefix(proofDigits))
  }

  /// Seconds since the system's start, the same in all processes.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec)
  }
}

/// The codes that were used. Only genuine codes are remembered, until they expire.
struct AccessCodes {
  private let key: AccessKey
  private var used: [String: Int64] = [:]

  init(_ key: AccessKey) { self.key = key }

  /// Takes a code, which is used up then.
  ///
  /// - Returns: nil for a wrong, used or expired one.
  mutating func take(_ code: some StringProtocol, now: Int64 = AccessCode.now()) -> Access? {
    used = used.filter { $0.value > now }
    let claimCount = 1 + AccessCode.expiryDigits + AccessCode.nonceDigits
    guard code.utf8.count == claimCount + AccessCode.proofDigits else { return nil }
    let claim = String(code.prefix(claimCount))
    let proof = String(code.dropFirst(claimCount))
    guard AccessKey.isEqual(proof, AccessCode.proof(of: claim, key)),
      let access = claim.first.flatMap(Access.init(rawValue:)),
      let expiry = Int64(claim.dropFirst().prefix(AccessCode.expiryDigits), radix: 16),
      expiry > now, expiry <= now + AccessCode.seconds, used[claim] == nil
    else { return nil }
    used[claim] = expiry
    return access
  }
}
