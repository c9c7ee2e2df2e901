internal import TransferPrimitives

// The lines of parts. They are written by hand, in the form that an encoder gives a `CompletedPart`, which reads them: an
// encoder takes longer for a line than the service's answer to the part.

extension CheckpointJournal {
    package static func part(_ part: CompletedPart) -> [UInt8] { parts(CollectionOfOne(part)) }

    /// The lines of several parts, each closed.
    package static func parts(_ parts: some Collection<CompletedPart>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160 * parts.count)
        for part in parts {
            let start = bytes.count
            append(part, to: &bytes)
            close(&bytes, from: start)
        }
        return bytes
    }

    /// The keys in the order of the alphabet.
    private static func append(_ part: CompletedPart, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        if !part.checksums.isEmpty {
            bytes += #""checksums":{"#.utf8
            for (index, checksum) in part.checksums.sorted.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONText.append(checksum.algorithm, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                JSONText.append(checksum.value, to: &bytes)
            }
            bytes += "},".utf8
        }
        if part.isConfirmed { bytes += #""confirmed":true,"#.utf8 }
        bytes += #""etag":"#.utf8
        JSONText.append(part.etag.rawValue, to: &bytes)
        bytes += #","part":"#.utf8
        bytes += String(part.number).utf8
        if let size = part.size {
            bytes += #","size":"#.utf8
            bytes += String(size).utf8
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
