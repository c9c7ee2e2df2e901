/// Something in which the requests of two recordings of the same flow are not alike.
struct WireDifference: Hashable {
    let operation: String
    /// With the number of the part, and of the request where there are several alike.
    let request: String
    /// What differs, such as `path`, `query uploads`, `header content-type`, `signed header host` or `body`; `request` where
    /// only one side has it.
    let aspect: String
    /// nil where there is none.
    let ours: String?
    let theirs: String?
}

/// Two recordings of the same flow, request by request.
struct WireComparison {
    /// The requests that both have.
    private(set) var pairs: [(operation: String, request: String)] = []
    private(set) var differences: [WireDifference] = []

    init(ours: [RecordedRequest], theirs: [RecordedRequest]) {
        let (mine, others) = (Self.named(ours), Self.named(theirs))
        let change = theirs.map(\.label).difference(from: ours.map(\.label))
        let (alone, added) = (change.removals.map(Self.offset), change.insertions.map(Self.offset))
        for index in alone { note(mine[index], "request", ours[index].method, nil) }
        for index in added { note(others[index], "request", nil, theirs[index].method) }
        // What is left on either side is the same in the same order.
        for (one, other) in zip(
            mine.indices.filter { !alone.contains($0) }, others.indices.filter { !added.contains($0) })
        {
            pairs.append((ours[one].operation, mine[one].name))
            compare(mine[one], theirs[other])
        }
    }

    private static func offset(_ change: CollectionDifference<String>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }

    private typealias Named = (name: String, request: RecordedRequest)

    /// Several alike are numbered.
    private static func named(_ requests: [RecordedRequest]) -> [Named] {
        var counts: [String: Int] = [:]
        return requests.map { request in
            let count = (counts[request.label] ?? 0) + 1
            counts[request.label] = count
            return (count == 1 ? request.label : "\(request.label) #\(count)", request)
        }
    }

    private mutating func note(_ request: Named, _ aspect: String, _ ours: String?, _ theirs: String?) {
        guard ours != theirs else { return }
        differences.append(
            WireDifference(
                operation: request.request.operation, request: request.name, aspect: aspect, ours: ours, theirs: theirs)
        )
    }

    private mutating func compare(_ one: Named, _ theirs: RecordedRequest) {
        let ours = one.request
        note(one, "method", ours.method, theirs.method)
        note(one, "path", ours.path, theirs.path)
        compare(one, "query", Self.texts(ours.query), Self.texts(theirs.query))
        compare(one, "header", Self.headers(ours), Self.headers(theirs))
        compare(one, "signed header", Self.signedHeaders(ours), Self.signedHeaders(theirs))
        note(one, "body", ours.body, theirs.body)
    }

    private mutating func compare(
        _ request: Named, _ kind: String, _ ours: [String: String], _ theirs: [String: String]
    ) {
        for name in Set(ours.keys).union(theirs.keys).sorted() {
            note(request, "\(kind) \(name)", ours[name], theirs[name])
        }
    }

    /// Those of one name are one text.
    private static func texts(_ items: [(name: String, item: String)]) -> [String: String] {
        Dictionary(items.map { ($0.name, $0.item) }, uniquingKeysWith: { "\($0), \($1)" })
    }

    /// Without the names of those that are signed.
    private static func headers(_ request: RecordedRequest) -> [String: String] {
        var headers = texts(request.headers.map { ($0.name, $0.value) })
        if let value = headers["authorization"] {
            headers["authorization"] = fields(value).filter { signedNames($0) == nil }.joined(separator: ",")
        }
        return headers
    }

    private static func signedHeaders(_ request: RecordedRequest) -> [String: String] {
        let names = fields(request.header("authorization") ?? "").compactMap(signedNames).flatMap { $0 }
        return Dictionary(names.map { ($0, "signed") }, uniquingKeysWith: { first, _ in first })
    }

    private static func fields(_ authorization: String) -> [String] {
        authorization.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// The headers that a field of `Authorization` names as signed; nil when it is another field.
    private static func signedNames(_ field: String) -> [String]? {
        for mark in ["SignedHeaders=", "AdditionalHeaders="] {
            guard let range = field.firstRange(of: mark) else { continue }
            return field[range.upperBound...].split(separator: ";").map { $0.lowercased() }
        }
        return nil
    }
}
