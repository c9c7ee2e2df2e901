import CCurl

/// libcurl as a whole: initialised once per process, never given back, since others may use it too.
enum CurlLibrary {
    /// Initialises libcurl on first use; anything but `CURLE_OK` means that it cannot be used.
    static let initialised: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// Whether certificates can be given in memory: libcurl 7.77.
    static let takesCertificateBytes = transfer_curl_version() >= 0x07_4d_00
}
