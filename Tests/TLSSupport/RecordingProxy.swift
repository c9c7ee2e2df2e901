internal import TransferPrimitives

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A proxy on loopback, for plain requests and for tunnels, that writes down what it is asked. Every host is this machine.
package final class RecordingProxy: Sendable {
    /// The head of one request, as it came.
    package struct Request: Sendable {
        package let head: String

        package var line: String { String(head.prefix { $0 != "\r\n" }) }
        package var isTunnel: Bool { line.hasPrefix("CONNECT ") }

        package func value(_ name: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2, parts[0].lowercased() == name.lowercased() {
                    return String(parts[1].drop { $0 == " " })
                }
            }
            return nil
        }
    }

    package let port: UInt16
    private let listener: Int32
    private let password: String?
    private let requestsSeen = LockBox<[Request]>([])

    /// - Parameter password: `user:password`, without which it refuses; nil for everybody.
    package init(password: String? = nil) throws {
        self.password = password
        listener = try LoopbackSocket.listen(isIPv6: false)
        port = LoopbackSocket.port(of: listener)
        startThread { [self] in
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { break }
                startThread { [self] in
                    LoopbackSocket.prepare(socket)
                    serve(socket)
                    close(socket)
                }
            }
            close(listener)
        }
    }

    package var requests: [Request] { requestsSeen.withLock { $0 } }
    package var url: String { "http://127.0.0.1:\(port)" }

    /// Ends the proxy, which until then lives by its own threads.
    package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Serves one request, or one tunnel.
    private func serve(_ socket: Int32) {
        guard let (head, rest) = readHead(socket) else { return }
        let request = Request(head: head)
        requestsSeen.withLock { $0.append(request) }
        if let password, request.value("Proxy-Authorization") != "Basic \(Base64.encode(Array(password.utf8)))" {
            answer("407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"test\"", socket)
            return
        }
        let words = request.line.split(separator: " ")
        guard words.count == 3 else { return }
        if request.isTunnel {
            guard let target = connect(words[1]) else { return answer("502 Bad Gateway", socket) }
            defer { close(target) }
            guard LoopbackSocket.send(Array("HTTP/1.1 200 Connected\r\n\r\n".utf8)[...], to: socket) else { return }
            relay(socket, target)
        } else {
            let path = words[1].dropFirst("http://".count).drop { $0 != "/" }
            let authority = words[1].dropFirst("http://".count).prefix { $0 != "/" }
            guard let target = connect(authority) else { return answer("502 Bad Gateway", socket) }
            defer { close(target) }
            let lines = head.split(separator: "\r\n").dropFirst().filter { !$0.lowercased().hasPrefix("proxy-") }
            let forwarded =
                (["\(words[0]) \(path) HTTP/1.1"] + lines.map(String.init) + ["Connection: close"])
                .joined(separator: "\r\n") + "\r\n\r\n"
            guard LoopbackSocket.send((Array(forwarded.utf8) + rest)[...], to: target) else { return }
            relay(socket, target)
        }
    }

    /// Passes bytes both ways until one side ends.
    private func relay(_ first: Int32, _ second: Int32) {
        while let ready = LoopbackSocket.waitForInput(first, second) {
            if ready.first, !pass(first, second) { return }
            if ready.second, !pass(second, first) { return }
        }
    }

    private func pass(_ source: Int32, _ target: Int32) -> Bool {
        guard let bytes = LoopbackSocket.receive(source) else { return false }
        return LoopbackSocket.send(bytes[...], to: target)
    }

    private func answer(_ status: String, _ socket: Int32) {
        let text = "HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        _ = LoopbackSocket.send(Array(text.utf8)[...], to: socket)
        shutdown(socket, Int32(SHUT_WR))
        while let bytes = LoopbackSocket.wait(socket, POLLIN) ? LoopbackSocket.receive(socket) : nil, !bytes.isEmpty {}
    }

    private func connect(_ authority: Substring) -> Int32? {
        guard let colon = authority.lastIndex(of: ":"), let port = UInt16(authority[authority.index(after: colon)...])
        else { return nil }
        let target = try? LoopbackSocket.connect(to: port)
        if let target { LoopbackSocket.prepare(target) }
        return target
    }

    /// A head, and what came with it.
    private func readHead(_ socket: Int32) -> (String, [UInt8])? {
        var bytes: [UInt8] = []
        while LoopbackSocket.wait(socket, POLLIN), let more = LoopbackSocket.receive(socket) {
            bytes += more
            guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            return (String(decoding: bytes[..<end.lowerBound], as: UTF8.self), Array(bytes[end.upperBound...]))
        }
        return nil
    }
}
