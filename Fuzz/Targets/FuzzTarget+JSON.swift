@testable import AliyunVOD
@testable import S3Wire
import TransferCore
import TransferHTTP
import TransferService

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FuzzTarget {
    /// An answer in JSON, and what each operation of TOS and of the VOD OpenAPI reads in it.
    static let jsonDocuments = FuzzTarget(name: "json") { bytes in
        let response = HTTPResponse(status: 200, body: bytes)
        // XML has a target of its own.
        guard BodyFormat(of: response) == .json else { return }
        if let answer = AnswerDocument<ListPartsDocument>(response), let document = answer.document {
            let page = S3Wire.PartsPage(document, tosLimits)
            check(page)
            checkComplete(page.parts.map(\.part))
        }
        if let answer = AnswerDocument<ListUploadsDocument>(response), let document = answer.document {
            check(S3Wire.UploadsPage(document))
        }
        _ = AnswerDocument<CopyResultDocument>(response)?.document
        _ = AnswerDocument<CreateResultDocument>(response)?.document
        _ = AnswerDocument<CompleteResultDocument>(response)?.document
        _ = AnswerDocument<TaggingDocument>(response)?.document?.tags
        checkPermit(bytes)
    }

    private struct CompleteBody: Decodable {
        struct Part: Decodable {
            let PartNumber: Int
            let ETag: String
        }

        let Parts: [Part]
    }

    /// The parts that a listing names are the parts that Complete names.
    private static func checkComplete(_ parts: [CompletedPart]) {
        let body = try? JSONDecoder().decode(CompleteBody.self, from: Data(CompleteRequestDocument.json(parts)))
        require(body?.Parts.map(\.PartNumber) == parts.map(\.number), "Complete names other parts")
        require(body?.Parts.map { ETag($0.ETag) } == parts.map(\.etag), "Complete names other ETags")
    }

    /// Handed on and read again, a permit says the same.
    private static func checkPermit(_ bytes: [UInt8]) {
        guard let members = JSONMembers(parsing: bytes), let permit = VODUploadPermit(members) else { return }
        guard let json = try? permit.authAnswerJSON(), let again = JSONMembers(parsing: json) else {
            return require(false, "a permit that cannot be handed on")
        }
        require(VODUploadPermit(again) == permit, "a permit that reads as another")
        require("\(permit)".utf8.count < 256 || permit.videoId != nil || permit.imageId != nil, "a permit that is told")
    }
}
