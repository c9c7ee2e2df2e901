import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file as it was when it was opened, and nothing else.
@Suite struct FileSourceTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write((0..<100).map { UInt8($0) }, to: "v.mp4")
    }

    private var path: String { directory.path("v.mp4") }

    private func read(_ source: some ByteSource, at offset: UInt64, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = try bytes.withUnsafeMutableBytes { try source.read(at: offset, into: $0) }
        return Array(bytes.prefix(read))
    }

    private func append(_ bytes: [UInt8]) throws {
        let system = LocalFileSystem()
        let file = try system.open(path, .append)
        try bytes.withUnsafeBytes { try system.write($0, to: file) }
    }

    @Test func readsByPosition() throws {
        let source = try FileSource(path: path)
        #expect(source.length == 100)
        #expect(source.name == "v.mp4")
        #expect(try read(source, at: 0, 3) == [0, 1, 2])
        #expect(try read(source, at: 97, 10) == [97, 98, 99])
        #expect(try read(source, at: 100, 10) == [])
        #expect(try read(source, at: .max, 10) == [])
        try source.recheck()
    }

    #if os(Linux)
        /// Stored as it tells, such a file would be an empty object.
        @Test func aFileOfTheKernelThatTellsNoLengthIsRefused() {
            let error = transferError { try FileSource(path: "/proc/self/status") }
            #expect(error?.code == .fileUnreadable)
            #expect(error?.field == "path")
        }
    #endif

    @Test func whatIsNoReadableFileIsRefusedByName() throws {
        mkfifo(directory.path("pipe"), 0o600)
        for path in [
            "", "\u{0}", directory.path, directory.path("missing"), directory.path("v.mp4/x"), directory.path("pipe"),
            "/dev/null",
        ] {
            let error = transferError { try FileSource(path: path) }
            #expect(error?.code == .fileUnreadable, "\(path)")
            #expect(error?.field == "path")
        }
    }

    @Test func aURLInPlaceOfAPathIsCalledOne() {
        let error = transferError { try FileSource(path: "file://\(directory.path("v.mp4"))") }
        #expect(error?.code == .fileUnreadable)
        #expect(error?.message.hasSuffix(": this is a URL; give its path") == true)
        #expect(transferError { try FileSource(path: directory.path("none")) }?.message.contains("URL") == false)
    }

    /// FR-015: touched, appended, cut: each is another file than was opened.
    @Test func aChangeIsNoticed() throws {
        let appended = try FileSource(path: path)
        try append([1])
        #expect(transferError { try appended.recheck() }?.code == .sourceChanged)
        #expect(try read(appended, at: 95, 50).count == 5, "no byte beyond the length it had")

        let touched = try FileSource(path: path)
        var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
        #expect(transferError { try touched.recheck() }?.code == .sourceChanged)

        let cut = try FileSource(path: path)
        #expect(truncate(path, 50) == 0)
        #expect(transferError { try cut.recheck() }?.code == .sourceChanged)
        let error = transferError { try read(cut, at: 60, 10) }
        #expect(error?.code == .sourceChanged)
        #expect(error?.message.contains("60") == true)
    }

    @Test func aFileThatIsRenamedReplacedOrDeletedIsNoticedAndStillReadAsItWas() throws {
        let source = try FileSource(path: path)
        let system = LocalFileSystem()
        try system.rename(path, to: directory.path("w.mp4"))
        #expect(transferError { try source.recheck() }?.message.contains("deleted or renamed") == true)
        try directory.write([9], to: "v.mp4")
        let replaced = transferError { try source.recheck() }
        #expect(replaced?.code == .sourceChanged)
        #expect(replaced?.message.contains("replaced") == true)
        #expect(try read(source, at: 1, 1) == [1])
        try system.remove(directory.path("w.mp4"))
        try system.remove(path)
        #expect(transferError { try source.recheck() }?.code == .sourceChanged)
        #expect(try read(source, at: 2, 1) == [2])
    }

    /// Another name that leads to the same file is none of the upload's business.
    @Test func aLinkIsFollowed() throws {
        let link = directory.path("link.mp4")
        #expect(symlink(path, link) == 0)
        let source = try FileSource(path: link)
        try source.recheck()
        #expect(unlink(link) == 0)
        #expect(transferError { try source.recheck() }?.code == .sourceChanged)
    }

    /// FR-014: the error names the offset.
    @Test func aReadErrorNamesTheOffset() throws {
        let system = FaultyFileSystem()
        let source = try FileSource(path: path, fileSystem: system)
        system.fail(.read, with: EIO)
        let error = transferError { try read(source, at: 40, 10) }
        #expect(error?.code == .fileUnreadable)
        #expect(error?.field == "path")
        #expect(error?.message.contains("at 40") == true)
        #expect((error?.underlying as? SystemCallError)?.number == EIO)
    }

    @Test func theTimeIsToTheMillisecond() throws {
        var times = [timespec(tv_sec: 5, tv_nsec: 123_456_789), timespec(tv_sec: 1_751_356_800, tv_nsec: 123_999_999)]
        #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
        let source = try FileSource(path: path)
        #expect(source.lastModified.timeIntervalSince1970 == 1_751_356_800.123)
    }
}
