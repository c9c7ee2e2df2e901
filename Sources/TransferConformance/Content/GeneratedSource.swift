internal import TransferPrimitives

/// Bytes made up as they are read, the same at every reading: large content that takes no memory.
struct GeneratedSource: ByteSource, Hashable {
    /// Content with other seeds is other content.
    let seed: UInt64
    let length: UInt64

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard offset < length else { return 0 }
        let count = Int(min(UInt64(buffer.count), length - offset))
        var done = 0
        while done < count {
            let position = offset + UInt64(done)
            let inWord = Int(position % 8)
            let wanted = min(8 - inWord, count - done)
            let word = Self.word(seed, position / 8)
            if wanted == 8 {
                buffer.storeBytes(of: word, toByteOffset: done, as: UInt64.self)
            } else {
                for index in 0..<wanted {
                    buffer[done + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * (inWord + index)))
                }
            }
            done += wanted
        }
        return count
    }

    var crc64: UInt64 {
        var crc = CRC64()
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            var offset: UInt64 = 0
            while offset < length {
                let count = read(at: offset, into: buffer)
                crc.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += UInt64(count)
            }
        }
        return crc.value
    }

    /// The finaliser of SplitMix64: every bit of the position counts.
    private static func word(_ seed: UInt64, _ index: UInt64) -> UInt64 {
        var z = (index &+ (seed << 40)) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return (z ^ (z >> 31)).littleEndian
    }
}
