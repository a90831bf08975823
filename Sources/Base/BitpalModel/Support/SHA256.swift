/// SHA-256 (FIPS 180-4), which shows that a file has changed: a recorded body, or settings that were trusted.
///
/// Foundation's essentials do not contain it, and a crypto library for sixty lines is not worth a fourth C dependency
/// (decision 0003).
package enum SHA256 {
  /// Returns the digest as 64 lower-case hexadecimal digits.
  package static func hexDigest(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: digest(of: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
  }

  /// Returns the 32 bytes that prove knowledge of the key: HMAC (RFC 2104).
  package static func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    let short = key.count > 64 ? digest(of: key) : key
    let padded = short + [UInt8](repeating: 0, count: 64 - short.count)
    return digest(of: padded.map { $0 ^ 0x5C } + digest(of: padded.map { $0 ^ 0x36 } + bytes))
  }

  /// Returns the digest, 32 bytes.
  private static func digest(of bytes: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    var tail = Array(bytes[(bytes.count / 64 * 64)...])
    let bitCount = UInt64(bytes.count) &* 8
    tail.append(0x80)
    while tail.count % 64 != 56 { tail.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      tail.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
    }

    var schedule = [UInt32](repeating: 0, count: 64)
    bytes.withUnsafeBufferPointer { whole in
      for start in stride(from: 0, to: bytes.count / 64 * 64, by: 64) {
        compress(UnsafeBufferPointer(rebasing: whole[start..<start + 64]), &schedule, &state)
      }
    }
    tail.withUnsafeBufferPointer { rest in
      for start in stride(from: 0, to: rest.count, by: 64) {
        compress(UnsafeBufferPointer(rebasing: rest[start..<start + 64]), &schedule, &state)
      }
    }
    return state.flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// Adds a block of 64 bytes to the state.
  ///
  /// Loops and rotations are written out, since trust in a folder hashes its files on every run: without optimization, as
  /// the tests run the tool, a range or a function called for each word is ten times slower.
  private static func compress(
    _ block: UnsafeBufferPointer<UInt8>, _ schedule: inout [UInt32], _ state: inout [UInt32]
  ) {
    schedule.withUnsafeMutableBufferPointer { schedule in
      guard let w = schedule.baseAddress, let bytes = block.baseAddress else { return }
      var index = 0
      while index < 16 {
        let word = bytes + 4 * index
        w[index] = UInt32(word[0]) &<< 24 | UInt32(word[1]) &<< 16 | UInt32(word[2]) &<< 8 | UInt32(word[3])
        index += 1
      }
      while index < 64 {
        let (near, far) = (w[index - 2], w[index - 15])
        let s0 = (far &>> 7 | far &<< 25) ^ (far &>> 18 | far &<< 14) ^ (far &>> 3)
        let s1 = (near &>> 17 | near &<< 15) ^ (near &>> 19 | near &<< 13) ^ (near &>> 10)
        w[index] = w[index - 16] &+ s0 &+ w[index - 7] &+ s1
        index += 1
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      constants.withUnsafeBufferPointer { constants in
        guard let k = constants.baseAddress else { return }
        index = 0
        while index < 64 {
          let s1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
          let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ k[index] &+ w[index]
          let s0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
          let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
          (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
          index += 1
        }
      }
      state[0] &+= a
      state[1] &+= b
      state[2] &+= c
      state[3] &+= d
      state[4] &+= e
      state[5] &+= f
      state[6] &+= g
      state[7] &+= h
    }
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, section 4.2.2).
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
