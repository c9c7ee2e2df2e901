internal import TransferCore
internal import TransferHTTP

extension HTTPHeaders {
    /// Those of a request with a document of JSON, and `further` ones by their names.
    ///
    /// Throws `.invalidArgument` naming `headers`.
    init(json further: [String: String]) throws(TransferError) {
        self.init()
        do {
            try append("Content-Type", "application/json")
            for (name, value) in further.sorted(by: { $0.key < $1.key }) { try set(name, value) }
        } catch {
            throw .invalidArgument("headers", "\(error)")
        }
    }
}
