import ObjectTransfer

/// What came of the work, and how long it took.
struct Outcome {
    var time: Duration = .zero
    var bytes: UInt64?
    /// How far the object is known to equal its source; nil where that is not one answer.
    var verification: TransferReceipt.Verification?

    init(bytes: UInt64? = nil) { self.bytes = bytes }

    init(_ receipt: TransferReceipt) {
        bytes = receipt.size
        verification = receipt.verification
    }

    /// One line of JSON.
    func text(full: Bool) -> String {
        let (seconds, attoseconds) = time.components
        // Microseconds: the shortest digits of a number near them are what was measured.
        let micros = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        var members = ["\"op_s\": \(Double(micros) / 1_000_000)"]
        if full, let bytes { members.append("\"bytes\": \(bytes)") }
        if full, let verification { members.append("\"verification\": \"\(verification)\"") }
        return "{" + members.joined(separator: ", ") + "}"
    }
}
