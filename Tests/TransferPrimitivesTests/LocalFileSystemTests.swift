import Testing
import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the machine's own file system is asked for.
@Suite struct LocalFileSystemTests {
    private let system = LocalFileSystem()

    /// On a disk as a rule, and in memory where there is such a place.
    static let directories: [String] = ["/tmp", "/dev/shm"].filter { access($0, W_OK) == 0 }

    private func path(in directory: String) -> String {
        "\(directory)/object-transfer-\(UInt64.random(in: 0 ... .max))"
    }

    @Test(arguments: directories) func roomIsMadeForAllOfAFile(directory: String) throws {
        let path = path(in: directory)
        defer { unlink(path) }
        let file = try system.open(path, .replace)
        try system.allocate(file, 1 << 20)
        #expect(try system.status(of: file).size == 1 << 20)
        try system.allocate(file, 0)
        #expect(try system.status(of: file).size == 0)
    }

    @Test(arguments: directories) func moreThanThereIsRoomForIsRefused(directory: String) throws {
        let path = path(in: directory)
        defer { unlink(path) }
        let file = try system.open(path, .replace)
        let error = #expect(throws: SystemCallError.self) { try system.allocate(file, 1 << 56) }
        // What a file may be at most, where that is less.
        #expect(error?.number == ENOSPC || error?.number == EFBIG)
    }
}
