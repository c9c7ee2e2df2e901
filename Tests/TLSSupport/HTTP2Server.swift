internal import TestSupport
internal import TransferPrimitives

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// nginx with TLS on loopback, offering HTTP/2 and HTTP/1.1, in front of a server that speaks plain HTTP.
package final class HTTP2Server: Sendable {
    /// One request as it logged it.
    package struct Request: Sendable {
        package let connection: Int
        /// Such as `HTTP/2.0`.
        package let version: String
    }

    private static let places: [String] = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"]
    private static let path = places.first { access($0, X_OK) == 0 }

    package static var isInstalled: Bool { path != nil }

    package let port: UInt16
    private let program: Program
    private let directory: TemporaryDirectory

    private init(port: UInt16, program: Program, directory: TemporaryDirectory) {
        self.port = port
        self.program = program
        self.directory = directory
    }

    /// - Parameter target: The port on 127.0.0.1 to pass on to.
    package static func start(_ certificate: TestCertificate, to target: UInt16) async throws -> HTTP2Server {
        let directory = try TemporaryDirectory()
        try directory.write(Array(certificate.pem.utf8), to: "server.pem")
        try directory.write(Array(certificate.keyPEM.utf8), to: "server.key")
        // Another program may take the port before nginx does; then there is another try.
        for _ in 1...5 {
            let reserved = try LoopbackSocket.listen(isIPv6: false)
            let port = LoopbackSocket.port(of: reserved)
            close(reserved)
            try directory.write(Array(configuration(directory.path, port, target).utf8), to: "nginx.conf")
            let program = try Program(
                path ?? "",
                ["-p", directory.path, "-c", directory.path("nginx.conf"), "-e", directory.path("error.log")])
            for _ in 1...2_000 {
                if let socket = try? LoopbackSocket.connect(to: port) {
                    close(socket)
                    return HTTP2Server(port: port, program: program, directory: directory)
                }
                try await Task.sleep(for: .milliseconds(5))
            }
            program.signal(SIGKILL)
            _ = await program.wait()
        }
        throw SystemCallError(call: "nginx", path: directory.path("nginx.conf"), number: EADDRINUSE)
    }

    /// Ends it once it has written of `count` requests, or ten seconds later, and gives what it was asked.
    package func stop(after count: Int) async throws -> [Request] {
        // It writes a line behind the answer, which the client may have before.
        for _ in 1...2_000 where try requests().count < count { try await Task.sleep(for: .milliseconds(5)) }
        // It inherits a mask under which gentler signals do not reach it.
        program.signal(SIGKILL)
        _ = await program.wait()
        return try requests()
    }

    private func requests() throws -> [Request] {
        String(decoding: try directory.read("access.log"), as: UTF8.self).split(separator: "\n").compactMap {
            let words = $0.split(separator: " ")
            guard words.count == 2, let connection = Int(words[0]) else { return nil }
            return Request(connection: connection, version: String(words[1]))
        }
    }

    private static func configuration(_ directory: String, _ port: UInt16, _ target: UInt16) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(directory)/\($0);"
        }
        return """
            daemon off;
            master_process off;
            user root;
            pid \(directory)/nginx.pid;
            events {}
            http {
                \(temporary.joined(separator: "\n"))
                log_format short '$connection $server_protocol';
                access_log \(directory)/access.log short;
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate \(directory)/server.pem;
                    ssl_certificate_key \(directory)/server.key;
                    client_max_body_size 0;
                    location / {
                        proxy_pass http://127.0.0.1:\(target);
                        proxy_http_version 1.1;
                        proxy_set_header Host $http_host;
                        proxy_set_header Connection "";
                        proxy_request_buffering off;
                        proxy_buffering off;
                    }
                }
            }
            """
    }
}
