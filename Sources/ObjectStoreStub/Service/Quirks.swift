/// Ways in which real services differ from the manual, or from each other, that a test can switch on while the server runs.
public struct Quirks: Sendable, Hashable {
    /// Whether answers carry the CRC-64 of objects and parts, where the dialect has it. Default: true.
    public var reportsChecksums = true
    /// Whether an error document is wrapped as `{"Error":{…}}` where the dialect knows that shape. Default: false.
    public var wrapsErrors = false
    /// Whether `x-tos-copy-source-if-match` and its like are heeded. Ceph RGW ignores them. Default: true.
    public var honoursCopyConditions = true
    /// Whether ETags in copy results have quotes. Ceph RGW leaves them out. Default: true.
    public var quotesETagInCopyResults = true
    /// Whether ETags in listings and headers have quotes. Default: true.
    public var quotesETagElsewhere = true
    /// Whether the answer to Complete names an ETag; Ceph RGW leaves it empty. Default: true.
    public var namesETagOfCompleted = true
    /// Whether Complete must list every part that was ever uploaded. Default: false.
    public var completeMustListEveryPart = false
    /// Whether Complete takes parts in any order. Default: false.
    public var acceptsPartsOutOfOrder = false
    /// Whether a listing of the parts of an upload that is gone is refused with NoSuchKey, as by Ceph RGW. Default: false.
    public var listsMissingUploadAsKey = false
    /// Whether XML answers name the namespace that OSS's manual shows and its servers leave out. Default: false.
    public var namesXMLNamespace = false
    /// Whether OSS calls a wrong date `Invalid signing date in Authorization header.`, and so leaves the clock to be
    /// learnt from the `Date` line alone, in place of RequestTimeTooSkewed. Default: false.
    public var reportsSkewAsSigningDate = false
    /// Whether the copy source is percent-decoded a second time, in the S3 dialect that of part copies, as by Ceph RGW.
    /// Default: false.
    public var decodesCopySourceTwice = false
    /// Whether the S3 dialect refuses a bucket that is named by the path, as the S3-compatible endpoint of TOS does.
    /// Default: false.
    public var refusesPathStyle = false
    /// Whether the S3 dialect refuses bodies in `aws-chunked` with checksums behind them, as TOS and OSS do. Default: false.
    public var refusesChecksumTrailers = false
    /// The highest part number taken. Default: 10,000.
    public var maximumPartNumber = 10_000
    /// The smallest size of every part but the last, in bytes. Default: the service's own, of TOS and S3 5 MiB, of OSS 100 KiB.
    public var minimumPartLength: UInt64?
    /// The largest source of a single copy, and the largest part, in bytes. Default: the service's own, which is 5 GiB,
    /// but 1 GiB for a single copy within OSS.
    public var maximumSingleLength: UInt64?
    /// The longest page of a listing. Default: 1,000.
    public var maximumPageLength = 1_000

    /// What the manual says.
    public init() {}
}
