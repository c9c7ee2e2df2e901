import TransferCore

/// What one call is to do, and what its source is.
final class CallPlan: @unchecked Sendable {
    /// What has happened to the transfer so far, which may be a reason to begin again.
    struct Facts {
        var sourceHasChanged = false
        var optionsHaveChanged = false
        var partSizeHasChanged = false
    }

    let kind: TransferCheckpoint.Kind
    let keepsRecord: Bool
    let yieldsClaim: Bool
    let partSize: UInt64
    let concurrency: Int
    let singleRequestLimit: UInt64
    let pauseGrace: Duration
    let abortsOnDenial: Bool
    let checksLocalParts: Bool
    /// Stands for the options that change the object.
    let edition: Int
    private let history: History
    /// The bytes that the call found.
    private var source: [UInt8]

    var facts: Facts { history.facts }

    init(history: History, random: inout TracedRandom, setting: Setting, isCalm: Bool, isNeighbour: Bool) {
        self.history = history
        kind = setting.kind
        keepsRecord = setting.keepsRecord
        yieldsClaim = isNeighbour ? random.chance(40) : setting.yieldsClaim
        partSize = history.partSize
        concurrency = Int.random(in: 1...4, using: &random)
        singleRequestLimit = setting.singleRequestLimit
        pauseGrace =
            isCalm ? .milliseconds(500) : random.pick(.zero, .milliseconds(500), .milliseconds(500), .seconds(5))
        abortsOnDenial = setting.abortsOnDenial
        checksLocalParts = setting.checksLocalParts
        edition = history.edition
        source = history.currentSource
    }

    /// The service told of an object: the first time that is the source as the call will have it.
    func sourceWasSeen(at location: ObjectLocation, _ info: ObjectInfo) {
        guard kind != .upload, location == Setting.source else { return }
        source = history.source(tagged: info.etag) ?? source
    }

    func range(_ number: Int) -> ByteRange {
        let offset = min(UInt64(max(0, number - 1)) * partSize, UInt64(source.count))
        return ByteRange(offset: offset, length: min(partSize, UInt64(source.count) - offset))
    }

    func number(startingAt offset: UInt64) -> Int? { offset % partSize == 0 ? Int(offset / partSize) + 1 : nil }

    func number(of range: ByteRange) -> Int? { number(startingAt: range.offset) }

    /// Whether `bytes` are those of a part.
    func isRight(_ bytes: [UInt8], _ number: Int) -> Bool { bytes == part(number) }

    /// Whether a recorded part's bytes are in their place. What came damaged was recorded so.
    func isOnDisk(_ number: Int, as recorded: CompletedPart) -> Bool {
        let range = range(number)
        guard let file = history.disk.file(partialPath), file.bytes.count == source.count else { return false }
        let bytes = Array(file.bytes[Int(range.offset)..<Int(range.end)])
        return bytes == part(number) && recorded.checksums == SimulatedService.checksums(bytes)
    }

    private func part(_ number: Int) -> [UInt8] {
        let range = range(number)
        return Array(source[Int(range.offset)..<Int(range.end)])
    }

    /// The file that a download writes.
    var partialPath: String { Setting.targetPath + ".part" }
}
