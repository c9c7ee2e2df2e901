import Testing
import TransferService

@Suite struct ContentTypesTests {
    @Test(arguments: [
        ("a.mp4", "video/mp4"), ("a.MP4", "video/mp4"), ("my.jpg.mp4", "video/mp4"), ("dir.mp4/a", nil), ("a", nil),
        ("a.", nil), (".mp4", "video/mp4"), ("a.unknown", nil), ("a.heic", "image/heic"),
        ("a.mkv", "video/x-matroska"), ("a.m4a", "audio/mp4"), ("a.aac", "audio/aac"), ("a.ts", "video/mp2t"),
        ("a.m3u8", "application/vnd.apple.mpegurl"), ("a.mpeg", "video/mpeg"), ("a.mpg", "video/mpeg"),
        ("a.jpeg", "image/jpeg"), ("a.tif", "image/tiff"), ("a.svg", "image/svg+xml"), ("a.wmv", "video/x-ms-wmv"),
        ("a.3gp", "video/3gpp"), ("", nil),
    ])
    func `the type follows the last extension of the last component`(key: String, type: String?) {
        #expect(ContentTypes.type(ofKey: key) == type)
    }
}
