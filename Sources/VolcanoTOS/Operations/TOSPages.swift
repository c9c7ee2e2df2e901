/// The pages of a list, fetched one by one as they are asked for.
///
///     for try await page in client.listPartsPages(input) {
///         for part in page.parts { … }
///     }
///
/// Each iteration begins with the first page. It throws what the operation throws, and ends behind the last page; also where
/// the service leads back to a page that was fetched, or to none, although there are more: the last page then still says
/// `isTruncated`.
public struct TOSPages<Page: Sendable>: AsyncSequence, Sendable {
    /// Fetches a page, and says whether and how another one follows.
    typealias Fetch = @Sendable () async throws -> (page: Page, next: TOSPages<Page>?)

    private let fetch: Fetch

    init(_ fetch: @escaping Fetch) { self.fetch = fetch }

    /// The pages that have not been fetched.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var rest: TOSPages?

        fileprivate init(_ pages: TOSPages) { rest = pages }

        /// The next page; nil behind the last one, and after an error.
        public mutating func next() async throws -> Page? {
            guard let fetch = rest?.fetch else { return nil }
            rest = nil
            let (page, following) = try await fetch()
            rest = following
            return page
        }
    }

    /// Begins with the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension TOSClient {
    /// All pages of the parts that an upload has, from the input's marker on. Nothing is sent before the first is asked for.
    public func listPartsPages(_ input: TOSListPartsInput) -> TOSPages<TOSListPartsOutput> {
        TOSPages {
            let page = try await self.listParts(input)
            guard page.isTruncated, page.nextPartNumberMarker > input.partNumberMarker else { return (page, nil) }
            var following = input
            following.partNumberMarker = page.nextPartNumberMarker
            return (page, self.listPartsPages(following))
        }
    }

    /// All pages of the multipart uploads of a bucket, from the input's markers on. Nothing is sent before the first is asked
    /// for.
    public func listMultipartUploadsPages(
        _ input: TOSListMultipartUploadsInput
    ) -> TOSPages<TOSListMultipartUploadsOutput> {
        listMultipartUploadsPages(input, PageTrail(input))
    }

    private func listMultipartUploadsPages(
        _ input: TOSListMultipartUploadsInput, _ trail: PageTrail<TOSListMultipartUploadsInput>
    ) -> TOSPages<TOSListMultipartUploadsOutput> {
        TOSPages {
            let page = try await self.listMultipartUploads(input)
            var following = input
            following.keyMarker = page.nextKeyMarker
            following.uploadIDMarker = page.nextUploadIDMarker
            var trail = trail
            guard page.isTruncated, !following.keyMarker.isEmpty, trail.leads(to: following) else { return (page, nil) }
            return (page, self.listMultipartUploadsPages(following, trail))
        }
    }
}
