#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The system calls that checkpoints and files stand on, as a seam at which tests let each of them fail.
package protocol FileSystem: Sendable {
    func open(_ path: String, _ access: FileAccess) throws(SystemCallError) -> OpenFile
    /// Writes all bytes at the end of a file opened for appending, or at the current position.
    func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(SystemCallError)
    /// Writes all bytes at `offset` of a file opened for updating.
    func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: UInt64) throws(SystemCallError)
    /// Reads up to the buffer's size from `offset`; 0 at the end.
    func read(_ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError)
        -> Int
    func truncate(_ file: OpenFile, to length: UInt64) throws(SystemCallError)
    /// Makes room for `length` bytes, so that writing them cannot fill the disk, and gives the file that length.
    func allocate(_ file: OpenFile, _ length: UInt64) throws(SystemCallError)
    /// Makes the file's content durable.
    func synchronize(_ file: OpenFile) throws(SystemCallError)
    /// Makes the names in a directory durable.
    func synchronizeDirectory(_ path: String) throws(SystemCallError)
    /// Takes the file's exclusive lock; false when another open file holds it.
    func lock(_ file: OpenFile) throws(SystemCallError) -> Bool
    func unlock(_ file: OpenFile) throws(SystemCallError)
    func status(of file: OpenFile) throws(SystemCallError) -> FileStatus
    /// Nil when there is nothing at `path`. Follows links.
    func status(at path: String) throws(SystemCallError) -> FileStatus?
    /// What the symbolic link at `path` says; nil when there is none, or something else. Throws for one that another user put
    /// into a directory that everybody may write to.
    func linkDestination(at path: String) throws(SystemCallError) -> String?
    /// Throws unless this process may create, rename and remove names in a directory.
    func checkWritable(directory path: String) throws(SystemCallError)
    func rename(_ from: String, to: String) throws(SystemCallError)
    func remove(_ path: String) throws(SystemCallError)
    /// Creates a directory for its owner alone, and those on the way to it; existing ones are fine.
    func createDirectories(_ path: String) throws(SystemCallError)
    /// The names in a directory, sorted.
    func list(_ path: String) throws(SystemCallError) -> [String]
}

/// How a file is opened. Never inherited by child processes; never waits for the other end of a pipe. For writing, never
/// another user's in a directory that everybody may write to.
package enum FileAccess: Sendable {
    case read
    /// For reading and appending; created for its owner alone when missing. Never through a symbolic link.
    case append
    /// For reading and writing anywhere; created when missing, as readable as new files are. Never through a symbolic link.
    case update
    /// For reading and appending; emptied, or created for its owner alone. Never through a symbolic link.
    case replace
}

/// What the system tells of a file.
package struct FileStatus: Sendable, Hashable {
    package enum Kind: Sendable, Hashable { case file, directory, other }

    package var kind: Kind
    /// Bytes.
    package var size: UInt64
    /// Names the file itself, whatever path leads to it.
    package var device: UInt64
    package var inode: UInt64
    /// Nanoseconds since 1970.
    package var modified: Int64

    package init(kind: Kind, size: UInt64, device: UInt64, inode: UInt64, modified: Int64) {
        self.kind = kind
        self.size = size
        self.device = device
        self.inode = inode
        self.modified = modified
    }

    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

/// An open file; closed when the last reference goes.
package final class OpenFile: Sendable {
    package let descriptor: Int32
    /// The path it was opened by.
    package let path: String

    package init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { _ = close(descriptor) }
}
