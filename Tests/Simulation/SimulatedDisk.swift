import TransferPrimitives

/// A disk that knows what would be left of it: of a file what was synchronised, and of the rest whatever chance lets stay; of a
/// directory the names it had when it was synchronised, and as many of the later changes as chance lets stay, in their order.
final class SimulatedDisk: @unchecked Sendable {
    final class File {
        enum Change {
            case write([UInt8], at: Int)
            case truncate(Int)
        }

        let number: UInt64
        var bytes: [UInt8] = []
        var durable: [UInt8] = []
        /// What happened since.
        var changes: [Change] = []
        /// Nanoseconds since 1970.
        var modified: Int64 = 0

        init(number: UInt64) { self.number = number }

        func apply(_ change: Change) {
            Self.apply(change, to: &bytes)
            changes.append(change)
        }

        func synchronize() {
            durable = bytes
            changes = []
        }

        static func apply(_ change: Change, to bytes: inout [UInt8]) {
            switch change {
            case .write(let new, let offset):
                if bytes.count < offset + new.count {
                    bytes += Array(repeating: 0, count: offset + new.count - bytes.count)
                }
                bytes.replaceSubrange(offset..<(offset + new.count), with: new)
            case .truncate(let length):
                if bytes.count > length {
                    bytes.removeLast(bytes.count - length)
                } else {
                    bytes += Array(repeating: 0, count: length - bytes.count)
                }
            }
        }
    }

    private struct Naming {
        let path: String
        let file: File?
    }

    private(set) var names: [String: File] = [:]
    private var durableNames: [String: File] = [:]
    /// What happened to the names since, in order: a rename is two changes that come together.
    private var namings: [[Naming]] = []
    private var lastFile: UInt64 = 0
    let directories: Set<String> = ["/", "/data", "/records"]
    /// Told of each name that leads to another file now.
    var onNamed: (String) -> Void = { _ in }

    func file(_ path: String) -> File? { names[path] }

    func create(_ path: String) -> File {
        lastFile += 1
        let file = File(number: lastFile)
        name([Naming(path: path, file: file)])
        return file
    }

    func remove(_ path: String) { name([Naming(path: path, file: nil)]) }

    func rename(_ from: String, to: String) {
        guard let file = names[from] else { return }
        name([Naming(path: to, file: file), Naming(path: from, file: nil)])
        onNamed(to)
    }

    /// All that is on the disk now is durable.
    func settle() {
        durableNames = names
        namings = []
        for file in names.values { file.synchronize() }
    }

    func synchronizeDirectory(_ directory: String) {
        for naming in namings where Self.directory(of: naming) == directory { Self.apply(naming, to: &durableNames) }
        namings.removeAll { Self.directory(of: $0) == directory }
    }

    /// What a power cut leaves. `note` is told of each file whose tail was lost or torn.
    func cutPower(_ random: inout TracedRandom, note: (Fault) -> Void) {
        for directory in directories.sorted() {
            let own = namings.filter { Self.directory(of: $0) == directory }
            let kept = own.isEmpty ? 0 : Int.random(in: 0...own.count, using: &random)
            for naming in own.prefix(kept) { Self.apply(naming, to: &durableNames) }
        }
        namings = []
        names = durableNames
        for path in names.keys.sorted() {
            guard let file = names[path], !file.changes.isEmpty else { continue }
            file.bytes = Self.remains(of: file, &random, note)
            file.synchronize()
            onNamed(path)
        }
    }

    private static func remains(of file: File, _ random: inout TracedRandom, _ note: (Fault) -> Void) -> [UInt8] {
        var bytes = file.durable
        let fate = Int.random(in: 0..<4, using: &random)
        if fate == 0 { return file.bytes }
        if fate == 1 {
            note(.lostTail)
            return bytes
        }
        for change in file.changes {
            guard case .write(var new, let offset) = change, !new.isEmpty else {
                if random.chance(50) { File.apply(change, to: &bytes) }
                continue
            }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: continue
            case 1:
                note(.tornTail)
                new.removeLast(Int.random(in: 0..<new.count, using: &random))
            case 2:
                // A block that never came: zeros, or what was there before.
                note(.tornTail)
                let start = Int.random(in: 0..<new.count, using: &random)
                let end = Int.random(in: (start + 1)...min(new.count, start + 8), using: &random)
                let isZero = random.chance(30)
                for index in start..<end {
                    new[index] = isZero ? 0 : bytes.isEmpty ? 0 : bytes[(offset + index) % bytes.count]
                }
            case 3:
                // Another byte, and one that looks as good.
                note(.tornTail)
                let index = Int.random(in: 0..<new.count, using: &random)
                new[index] = UInt8(ascii: "0") + (new[index] &+ UInt8.random(in: 1...9, using: &random)) % 10
            default: break
            }
            File.apply(.write(new, at: offset), to: &bytes)
        }
        return bytes
    }

    private func name(_ naming: [Naming]) {
        Self.apply(naming, to: &names)
        namings.append(naming)
    }

    private static func apply(_ naming: [Naming], to names: inout [String: File]) {
        for change in naming { names[change.path] = change.file }
    }

    private static func directory(of naming: [Naming]) -> String { directory(of: naming.first?.path ?? "/") }

    static func directory(of path: String) -> String {
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        return "/" + parent
    }
}
