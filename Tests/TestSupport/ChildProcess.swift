import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A program that runs as a process of its own, with its output and errors in pipes.
///
/// On `posix_spawn` rather than Foundation's `Process`, which leaks a little of every child (seen with Swift 6.3 under the
/// address sanitizer).
package final class ChildProcess {
    package struct SpawnError: Error {
        let number: Int32
    }

    package let identifier: Int32
    private var output: Int32
    private let errors: Int32
    private var unread: [UInt8] = []
    /// Held while a process is started, and while a pipe is made that it must not inherit.
    ///
    /// A number, for the thread sanitizer takes an access to an empty value for one to the box itself.
    private static let spawning = LockBox(0)
    private var status: Int32?

    /// Starts the program `name` that the build has put beside the tests, or the one at this path when it holds a slash, with
    /// `environment` in addition to this process's; in `directory`, or in this process's.
    package init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], directory: String? = nil
    ) throws {
        let products = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let program = name.contains("/") ? name : products.joined(separator: "/") + "/" + name
        // The call that would change the directory is none of POSIX's.
        let path = directory == nil ? program : "/usr/bin/env"
        let arguments = (directory.map { ["-C", $0, program] } ?? []) + arguments
        let outputEnds = try Self.makePipe()
        let errorEnds = try Self.makePipe()
        defer {
            close(outputEnds.write)
            close(errorEnds.write)
        }
        output = outputEnds.read
        errors = errorEnds.read

        let actions = UnsafeMutablePointer<posix_spawn_file_actions_t>.allocate(capacity: 1)
        #if canImport(Darwin)
            actions.initialize(to: nil)
        #endif
        defer { actions.deallocate() }
        posix_spawn_file_actions_init(actions)
        defer { posix_spawn_file_actions_destroy(actions) }
        posix_spawn_file_actions_adddup2(actions, outputEnds.write, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(actions, errorEnds.write, STDERR_FILENO)

        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for variable in variables { free(variable) } }
        let added = Set(environment.keys)
        var inherited: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let variable = next.pointee {
            let name = String(cString: variable).prefix { $0 != "=" }
            if !added.contains(String(name)) { inherited.append(variable) }
            next += 1
        }
        var all = variables + inherited + [nil]
        var identifier: pid_t = 0
        let result = Self.spawning.withLock { _ in posix_spawn(&identifier, path, actions, nil, &words, &all) }
        guard result == 0 else {
            close(output)
            close(errors)
            throw SpawnError(number: result)
        }
        self.identifier = identifier
    }

    deinit {
        if status == nil {
            kill(identifier, SIGKILL)
            _ = wait()
        }
        closeOutput()
        close(errors)
    }

    /// Goes away as a reader of standard output.
    package func closeOutput() {
        if output >= 0 { close(output) }
        output = -1
    }

    /// Blocks until it was stopped by a signal, or has ended.
    package func waitUntilStopped() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(identifier), &info, WSTOPPED | WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    package func signal(_ number: Int32) { kill(identifier, number) }

    /// Waits for the end and returns the exit status; for a process that a signal ended, 128 and the signal's number.
    package func wait() -> Int32 {
        if let status { return status }
        var word: Int32 = 0
        while waitpid(identifier, &word, 0) < 0, errno == EINTR {}
        let code = word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + (word & 0x7F)
        status = code
        return code
    }

    /// The next line of standard output, or nil at its end.
    package func nextLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeSubrange(...end)
                return line
            }
            let more = Self.readSome(output)
            if more.isEmpty { return nil }
            unread += more
        }
    }

    /// What is left of standard output, up to its end.
    package func restOfOutput() -> String {
        while true {
            let more = Self.readSome(output)
            if more.isEmpty { break }
            unread += more
        }
        defer { unread = [] }
        return String(decoding: unread, as: UTF8.self)
    }

    /// Everything on standard error, up to its end.
    package func errorText() -> String {
        var bytes: [UInt8] = []
        while true {
            let more = Self.readSome(errors)
            if more.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += more
        }
    }

    private static func readSome(_ descriptor: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count >= 0 { return Array(buffer.prefix(count)) }
            if errno != EINTR { return [] }
        }
    }

    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        // Other children, which other tests start at the same time, must not hold these ends open.
        return try spawning.withLock { _ in
            guard pipe(&ends) == 0 else { throw SpawnError(number: errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }
    }
}
