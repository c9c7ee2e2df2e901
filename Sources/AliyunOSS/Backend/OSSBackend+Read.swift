public import TransferCore
internal import TransferService

extension OSSBackend: ReadableBackend {
    public func getObject(
        _ object: ObjectLocation, range: ByteRange?, ifMatch: ETag?, into sink: some PartSink
    ) async throws -> ObjectInfo {
        var conditions = OSSObjectConditions()
        conditions.ifMatch = ifMatch?.quoted
        return try await service.getObject(
            try .getObject(object, range: range, conditions: conditions, trafficLimit: trafficLimit), range: range,
            FailureContext(.getObject, object, guardsSource: ifMatch != nil), into: sink
        ).value.info
    }
}
