import Testing

@testable import TransferCore

/// A way into every stage of the machine, with the record of an earlier call where that matters.
enum MachineStages: String, CaseIterable, Sendable {
    case idle, claiming, inspecting, listing, checkingLocal, abortingStale, creating, beginning, transferring, draining
    case rechecking, marking, completing, transferringWhole, checkingTarget, flushing, abortingUpload, removing

    /// A machine that has just come to this stage; its trace is empty.
    func rig(keeps: Bool = true) -> MachineRig {
        var world = MachineRig.World()
        switch self {
        case .claiming, .inspecting, .listing, .checkingLocal:
            world.saved = keeps ? Sample.checkpoint(parts: [1]) : nil
            world.listed = [Sample.part(1)]
        case .abortingStale:
            world.saved = Sample.checkpoint(parts: [1], digest: "other")
        case .transferringWhole:
            world.inspection = Sample.wholeInspection
        case .checkingTarget:
            world.receipt = TransferReceipt(etag: ETag("opaque"))
            world.target = .success(ObjectInfo(size: Sample.size, etag: ETag("opaque")))
        default: break
        }
        var rig = MachineRig(Sample.settings(keeps: keeps, checksLocal: self == .checkingLocal), world)
        if self != .idle { rig.send(.start) }
        switch self {
        case .idle: break
        case .draining:
            rig.run(until: .transferring)
            rig.send(.partFailed(1, TransferError(.refused, "no")))
        case .flushing:
            rig.run(until: .transferring)
            rig.send(.stop(.pause))
            rig.run(until: .flushing)
        case .abortingUpload:
            rig.run(until: .transferring)
            rig.send(.stop(.abort))
            rig.run(until: .abortingUpload)
        default: rig.run(until: stage)
        }
        _ = rig.takeTrace()
        return rig
    }

    var stage: TransferMachine.Stage {
        switch self {
        case .idle: .idle
        case .claiming: .claiming
        case .inspecting: .inspecting
        case .listing: .listing
        case .checkingLocal: .checkingLocal
        case .abortingStale: .abortingStale
        case .creating: .creating
        case .beginning: .beginning
        case .transferring: .transferring
        case .draining: .draining
        case .rechecking: .rechecking
        case .marking: .marking
        case .completing: .completing
        case .transferringWhole: .transferringWhole
        case .checkingTarget: .checkingTarget
        case .flushing: .flushing
        case .abortingUpload: .abortingUpload
        case .removing: .removing
        }
    }
}
