/// The regions of ApsaraVideo VOD.
public enum VODRegion {
    /// The ids of the regions that are known to offer VOD (VOD: "Region IDs"). The list is open: any other id is taken, too.
    ///
    /// A region of VOD stores in the region of OSS that has the same id.
    public static let known = [
        "cn-shanghai", "cn-beijing", "cn-shenzhen", "cn-hongkong", "ap-southeast-1", "ap-southeast-5", "ap-northeast-1",
        "eu-central-1", "us-west-1", "me-central-1", "cn-north-2-gov-1",
    ]

    /// The region of a client that names none.
    public static let `default` = "cn-shanghai"

    /// Whether `id` can be a region id: letters a–z, digits and hyphens.
    static func isPlausible(_ id: String) -> Bool {
        !id.isEmpty
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
