import ObjectStoreStub
/// Something that a driver does with its client, and what must be true of the server afterwards.
struct ClientScenario: Sendable {
    enum Note {
        case nothing
        /// What the driver told.
        case detail
        case text(String)

        func text(_ report: DriverReport) -> String {
            switch self {
            case .nothing: ""
            case .detail: report.detail
            case .text(let text): text
            }
        }
    }

    /// What the drivers call it.
    let name: String
    /// The column of the table.
    let column: String
    /// What the cell says beside the result.
    var note = Note.nothing
    /// What is done with the server before.
    var prepare: @Sendable (ClientBench) -> Void = { _ in }
    /// What must be true afterwards; given what the driver told.
    let examine: @Sendable (inout Findings, ClientBench, String) throws -> Void
}

/// Operations of object services.
extension ClientScenario {
    /// What every client of an object service can do.
    static let steps = [
        put, multipart, copy, partCopy, listParts, rangeGet, presign, delete, abort, wrongSecret,
    ]

    static let put = ClientScenario(name: "put", column: "put") { findings, bench, _ in
        bench.examineTarget(&findings)
    }

    static let multipart = ClientScenario(name: "multipart", column: "multipart") { findings, bench, _ in
        bench.examineTarget(&findings)
        bench.examineParts(&findings, .uploadPart, requests: bench.partCount)
    }

    /// The client's own upload of a file, which the server interrupts once.
    static let resumableUpload = ClientScenario(
        name: "resumable-upload", column: "file upload", note: .detail,
        prepare: { $0.interrupt(.uploadPart) },
        examine: { findings, bench, _ in
            bench.examineTarget(&findings)
            bench.examineParts(&findings, .uploadPart, requests: bench.partCount + 1)
        })

    static let fileUpload = ClientScenario(
        name: "file-upload", column: "file upload", note: .detail,
        examine: { findings, bench, _ in
            bench.examineTarget(&findings)
            bench.examineParts(&findings, .uploadPart, requests: bench.partCount)
        })

    static let copy = ClientScenario(name: "copy", column: "copy") { findings, bench, _ in
        bench.examineTarget(&findings)
        findings.expect(bench.server.wireLog.count(of: .copyObject) == 2, "not one copy refused and one made")
    }

    static let partCopy = ClientScenario(name: "part-copy", column: "part copy") { findings, bench, _ in
        bench.examineTarget(&findings)
        bench.examineParts(&findings, .uploadPartCopy, requests: bench.partCount)
    }

    /// The client's own copy in parts, which the server interrupts once.
    static let resumableCopy = ClientScenario(
        name: "file-copy", column: "copy in parts", note: .detail,
        prepare: { $0.interrupt(.uploadPartCopy) },
        examine: { findings, bench, _ in
            bench.examineTarget(&findings)
            bench.examineParts(&findings, .uploadPartCopy, requests: bench.partCount + 1)
        })

    static let fileCopy = ClientScenario(
        name: "file-copy", column: "copy in parts", note: .detail,
        examine: { findings, bench, _ in
            bench.examineTarget(&findings)
            bench.examineParts(&findings, .uploadPartCopy, requests: bench.partCount)
        })

    static let listParts = ClientScenario(name: "list-parts", column: "parts in pages") { findings, bench, detail in
        findings.expect(detail == "3 pages", "told of \(detail)")
        findings.expect(bench.server.wireLog.count(of: .listParts) == 3, "not three pages were asked for")
        findings.expect(bench.server.storage.uploads.first?.parts.count == 5, "not five parts are stored")
    }

    static let rangeGet = ClientScenario(name: "range-get", column: "range") { findings, bench, _ in
        let difference = try bench.downloaded().firstDifference(from: bench.content.slice(1_000..<201_000))
        findings.expect(difference == nil, "the range differs at byte \(difference ?? 0)")
    }

    /// The client's own download in ranges, of which the server refuses one once.
    static let resumableDownload = ClientScenario(
        name: "resumable-download", column: "file download", note: .detail,
        prepare: { $0.server.faults.add(.on(.getObject).nth(3), .status(403)) },
        examine: { findings, bench, _ in try bench.examineDownload(&findings, requests: bench.partCount + 1) })

    static let fileDownload = ClientScenario(
        name: "file-download", column: "file download", note: .detail,
        examine: { findings, bench, _ in try bench.examineDownload(&findings, requests: bench.partCount) })

    static let delete = ClientScenario(name: "delete", column: "delete") { findings, bench, detail in
        findings.expect(bench.target == nil, "there is an object")
        findings.expect(bench.server.wireLog.count(of: .deleteObject) == 1, "not one request to delete")
        bench.examineRefusal(&findings, "404 NoSuchKey", detail)
    }

    static let presign = ClientScenario(name: "presign", column: "presigned") { findings, bench, _ in
        bench.examineTarget(&findings, withMetadata: false)
        let difference = try bench.downloaded().firstDifference(from: bench.content)
        findings.expect(difference == nil, "what was read differs at byte \(difference ?? 0)")
    }

    static let abort = ClientScenario(name: "abort", column: "abort") { findings, bench, detail in
        findings.expect(bench.server.storage.uploads.isEmpty, "the upload is still there")
        findings.expect(bench.target == nil, "there is an object")
        bench.examineRefusal(&findings, "404 NoSuchUpload", detail)
    }

    static let wrongSecret = ClientScenario(name: "wrong-secret", column: "wrong secret") { findings, bench, detail in
        findings.expect(bench.target == nil, "there is an object")
        bench.examineRefusal(&findings, "403 SignatureDoesNotMatch", detail)
    }

    static let sessionToken = ClientScenario(name: "session-token", column: "token") { findings, bench, detail in
        try bench.examineText(&findings)
        findings.expect(bench.server.storage.object("other", in: bench.bucket) == nil, "the wrong token was taken")
        bench.examineRefusal(&findings, bench.client.tokenRefusal, detail)
    }

    /// For a client that names the header of the token differently: the server finds none.
    static let tokenInURL = ClientScenario(
        name: "token-in-url", column: "token", note: .text("in URLs only: it misnames the header"),
        examine: { findings, bench, detail in
            try bench.examineText(&findings)
            bench.examineRefusal(&findings, "403 InvalidAccessKeyId", detail)
            let last = bench.server.wireLog.entries.last
            findings.expect(last?.header("x-oss-security-token") == nil, "it has the header of the manual")
            findings.expect(last?.header("security-token") != nil, "it has no header of its own either")
        })
}
