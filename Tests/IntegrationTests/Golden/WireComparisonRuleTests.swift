import Testing

/// How recordings are compared, and what a list of explained differences must be.
@Suite struct WireComparisonRuleTests {
    private static let ours = """
        HEAD /b/k HTTP/1.1
        Host: <host>

        PUT /b/k?partNumber=1&uploadId=<upload> HTTP/1.1
        Host: <host>
        X-Date: <date>
        Authorization: AWS4 Credential=key/s3, SignedHeaders=host;x-date, Signature=<signature>

        (5 bytes)

        PUT /b/k?partNumber=2&uploadId=<upload> HTTP/1.1
        Host: <host>
        X-Date: <date>
        Authorization: AWS4 Credential=key/s3, SignedHeaders=host;x-date, Signature=<signature>

        (5 bytes)

        POST /b/k?uploadId=<upload> HTTP/1.1
        Host: <host>

        <a>

        </a>

        """

    private static func comparison(_ theirs: String, _ ours: String = ours) -> WireComparison {
        WireComparison(ours: RecordedRequest.all(in: ours), theirs: RecordedRequest.all(in: theirs))
    }

    @Test func `a recording is read request by request`() {
        let requests = RecordedRequest.all(in: Self.ours)
        #expect(requests.map(\.label) == ["HeadObject", "UploadPart 1", "UploadPart 2", "CompleteMultipartUpload"])
        #expect(requests.map(\.body) == [nil, "(5 bytes)", "(5 bytes)", "<a>\n\n</a>"])
        #expect(requests[1].query.map(\.item) == ["partNumber=1", "uploadId=<upload>"])
        #expect(requests[1].header("x-date") == "<date>")
    }

    @Test func `a recording does not differ from itself`() {
        let comparison = Self.comparison(Self.ours)
        #expect(comparison.differences.isEmpty)
        #expect(comparison.pairs.count == 4)
    }

    @Test func `neither the case of names nor the order of headers and query items is a difference`() {
        let theirs = Self.ours.replacing("X-Date: <date>\n", with: "")
            .replacing("SignedHeaders=host;x-date", with: "SignedHeaders=x-date;host")
            .replacing(
                "partNumber=1&uploadId=<upload> HTTP/1.1",
                with: "uploadId=<upload>&partNumber=1 HTTP/1.1\nx-date: <date>"
            )
            .replacing(
                "partNumber=2&uploadId=<upload> HTTP/1.1",
                with: "partNumber=2&uploadId=<upload> HTTP/1.1\nx-date: <date>")
        #expect(theirs != Self.ours)
        #expect(Self.comparison(theirs).differences.isEmpty)
    }

    @Test(arguments: [
        ("HEAD /b/k", "HEAD /b/%6b", "HeadObject: path, ours `/b/k`, theirs `/b/%6b`"),
        (
            "POST /b/k?uploadId=<upload>", "POST /b/k?uploadId=<upload>&a=",
            "CompleteMultipartUpload: query a, ours nothing, theirs `a=`"
        ),
        ("X-Date: <date>", "X-Date: today", "UploadPart 1: header x-date, ours `<date>`, theirs `today`"),
        ("X-Date: <date>\n", "", "UploadPart 1: header x-date, ours `<date>`, theirs nothing"),
        ("host;x-date", "host", "UploadPart 1: signed header x-date, ours `signed`, theirs nothing"),
        (
            "key/s3, SignedHeaders", "key/tos, SignedHeaders",
            "UploadPart 1: header authorization, ours `AWS4 Credential=key/s3, Signature=<signature>`, "
                + "theirs `AWS4 Credential=key/tos, Signature=<signature>`"
        ),
        ("(5 bytes)", "(6 bytes)", "UploadPart 1: body, ours `(5 bytes)`, theirs `(6 bytes)`"),
        ("</a>", "</b>", "CompleteMultipartUpload: body, ours `<a>\n\n</a>`, theirs `<a>\n\n</b>`"),
    ])
    func `one change is one difference`(_ old: String, _ new: String, _ expected: String) {
        let theirs = Self.ours.replacing(old, with: new, maxReplacements: 1)
        #expect(Self.comparison(theirs).differences.map(\.text) == [expected])
    }

    @Test func `an action by another method is a difference`() {
        let ours = "POST /?A=1 HTTP/1.1\nx-acs-action: Create\n"
        let differences = Self.comparison(ours.replacing("POST", with: "GET"), ours).differences
        #expect(differences.map(\.text) == ["Create: method, ours `POST`, theirs `GET`"])
    }

    @Test func `a request that only one side has is a difference`() {
        let head = "HEAD /b/k HTTP/1.1\nHost: <host>\n\n"
        let without = Self.ours.replacing(head, with: "")
        #expect(
            Self.comparison(without).differences.map(\.text) == ["HeadObject: request, ours `HEAD`, theirs nothing"])
        #expect(
            Self.comparison(head + Self.ours).differences.map(\.text)
                == ["HeadObject #2: request, ours nothing, theirs `HEAD`"])
        // Another place in the order is two.
        #expect(
            Self.comparison(without + "\n" + head).differences.map(\.text)
                == [
                    "HeadObject: request, ours `HEAD`, theirs nothing",
                    "HeadObject: request, ours nothing, theirs `HEAD`",
                ])
    }

    // MARK: The list

    private static let list = """
        About the list.

        ## UploadPart of put: header x-date

        - ours: `<d*>`
        - theirs: nothing

        They have none.

        """

    /// What is wrong with a list, where the other client sends no date with the parts.
    private static func problems(_ list: String = list, flow: String = "put", alike: Bool = false) throws -> [String] {
        let theirs = ours.replacing("X-Date: <date>\n", with: "", maxReplacements: alike ? 1 : 2)
        return try DifferenceList(list).problems([(flow, comparison(theirs))])
    }

    @Test func `a list of exactly the differences is right`() throws {
        #expect(try Self.problems() == [])
        #expect(try Self.problems(Self.list.replacing("UploadPart of put", with: "UploadPart")) == [])
        let vain = try Self.problems(
            Self.list.replacing("UploadPart of put", with: "ListParts, UploadPart of copy, put"))
        #expect(
            vain
                == ["ListParts", "copy"].map {
                    "ListParts, UploadPart of copy, put: header x-date: explains no difference of \($0)"
                })
    }

    @Test func `a difference must be explained`() throws {
        let unexplained = ["1", "2"].map {
            "put: UploadPart \($0): header x-date, ours `<date>`, theirs nothing is explained 0 times"
        }
        #expect(try Self.problems("") == unexplained)
        for (old, new) in [
            ("`<d*>`", "`<d>`"), ("theirs: nothing", "theirs: `*`"), ("- theirs: nothing\n", ""),
            ("UploadPart", "PutObject"),
            ("of put", "of copy"), ("x-date", "date"),
        ] {
            let problems = try Self.problems(Self.list.replacing(old, with: new))
            #expect(problems.prefix(2) == unexplained[...], "\(old)")
            // And then the entry is about nothing.
            #expect(problems.contains { $0.contains("explains no difference of ") }, "\(old)")
        }
    }

    @Test func `a difference is explained once, with a reason`() throws {
        #expect(try Self.problems(Self.list + Self.list).allSatisfy { $0.hasSuffix("is explained 2 times") })
        #expect(try Self.problems(Self.list + Self.list).count == 2)
        #expect(
            try Self.problems(Self.list.replacing("They have none.\n", with: ""))
                == ["UploadPart of put: header x-date: gives no reason"])
    }

    @Test func `an entry is true of every request that it speaks of`() throws {
        #expect(
            try Self.problems(alike: true) == ["UploadPart of put: header x-date: not so for UploadPart 2 of put"])
        let all = try Self.problems(Self.list.replacing("UploadPart of put", with: "every request"))
        #expect(
            all
                == ["HeadObject", "CompleteMultipartUpload"].map {
                    "every request: header x-date: not so for \($0) of put"
                })
    }

    @Test(arguments: ["## no colon", "## a: b\n- ours: bare", "## a: b\n- theirs: `", "## a: b\n- ours: "])
    func `a list that cannot be read is refused`(_ text: String) {
        #expect(throws: DifferenceList.Malformed.self) { _ = try DifferenceList(text) }
    }
}
