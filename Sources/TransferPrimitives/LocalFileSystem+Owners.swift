#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

// Whose files are written. In a directory that everybody may write to, such as `/tmp`, somebody may have put a file or a
// symbolic link where this process is about to keep one: to read it, to change it later, or to have another file written in its
// place. There, only what belongs to this user or to the directory's owner is touched. Linux has the same rule
// (`fs.protected_regular`, `fs.protected_symlinks`), but not everywhere, and not for links that a program follows by itself.

extension LocalFileSystem {
    func checkOwner(of file: OpenFile) throws(SystemCallError) {
        var status = stat()
        _ = try retrying("fstat", file.path) { fstat(file.descriptor, &status) }
        try check(owner: status.st_uid, of: file.path)
    }

    func checkOwner(ofLink path: String) throws(SystemCallError) {
        var status = stat()
        _ = try retrying("lstat", path) { lstat(path, &status) }
        try check(owner: status.st_uid, of: path)
    }

    private func check(owner: uid_t, of path: String) throws(SystemCallError) {
        guard owner != geteuid() else { return }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        _ = try retrying("stat", directory) { systemStat(directory, &status) }
        guard status.st_mode & S_IWOTH != 0, owner != status.st_uid else { return }
        throw SystemCallError(call: SystemCallError.foreign, path: path, number: EPERM)
    }
}

private func systemStat(_ path: String, _ status: inout stat) -> Int32 { stat(path, &status) }
