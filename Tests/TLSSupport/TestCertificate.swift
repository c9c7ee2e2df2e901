internal import CTestTLS

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A certificate with its key, made for one test.
package final class TestCertificate: Sendable {
    package struct Failure: Error {}

    // Written once by `init`; OpenSSL counts references to what is read from it.
    nonisolated(unsafe) let handle: OpaquePointer

    /// - Parameters:
    ///   - name: The common name.
    ///   - alternativeNames: Such as `DNS:localhost,IP:127.0.0.1`; nil for none.
    ///   - validity: Seconds from now.
    ///   - isAuthority: Whether it may vouch for others.
    ///   - hasWeakSignature: Whether it is signed by way of SHA-1.
    ///   - issuer: Nil for one that vouches for itself.
    package init(
        _ name: String, alternativeNames: String? = nil, validity: ClosedRange<Int> = -3_600...86_400,
        isAuthority: Bool = false, hasWeakSignature: Bool = false, issuer: TestCertificate? = nil
    ) throws {
        let made = name.withCString { name in
            func make(_ names: UnsafePointer<CChar>?) -> OpaquePointer? {
                var request = test_certificate_request(
                    common_name: name, alternative_names: names, valid_from: validity.lowerBound,
                    valid_until: validity.upperBound, is_authority: isAuthority ? 1 : 0,
                    has_weak_signature: hasWeakSignature ? 1 : 0)
                return test_certificate_make(&request, issuer?.handle)
            }
            return alternativeNames.map { $0.withCString(make) } ?? make(nil)
        }
        guard let made else { throw Failure() }
        handle = made
    }

    deinit { test_certificate_free(handle) }

    /// An authority of its own.
    package static func authority(_ name: String = "Test authority") throws -> TestCertificate {
        try TestCertificate(name, isAuthority: true)
    }

    /// One for the loopback addresses and `localhost`, by an authority.
    package static func loopback(
        by issuer: TestCertificate?, names: String = "DNS:localhost,IP:127.0.0.1,IP:::1",
        validity: ClosedRange<Int> = -3_600...86_400, hasWeakSignature: Bool = false
    ) throws -> TestCertificate {
        try TestCertificate(
            "Loopback", alternativeNames: names, validity: validity, hasWeakSignature: hasWeakSignature, issuer: issuer)
    }

    package var pem: String { Self.text(test_certificate_pem(handle)) }
    package var keyPEM: String { Self.text(test_certificate_key_pem(handle)) }

    /// The name of its file in a directory of certificates.
    package var hashedName: String {
        let digits = String(test_certificate_name_hash(handle), radix: 16)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + ".0"
    }

    private static func text(_ characters: UnsafeMutablePointer<CChar>?) -> String {
        guard let characters else { return "" }
        defer { free(characters) }
        return String(cString: characters)
    }
}
