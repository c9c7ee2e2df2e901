import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an application has in place of this: something that posts JSON to its backend and returns the answer.
struct Backend: Sendable {
    let url: String

    func post(_ path: String, body: Data) async throws -> Data {
        // The local server has other paths.
        let action =
            path.hasSuffix("/refresh") ? "refresh-video" : path == "/images" ? "create-image" : "create-video"
        var request = URLRequest(url: try address(action))
        request.httpMethod = "POST"
        request.httpBody = body
        return try await URLSession.shared.data(for: request).0
    }

    private func address(_ action: String) throws -> URL {
        guard let url = URL(string: "\(url)/\(action)") else { throw URLError(.badURL) }
        return url
    }
}
