internal import TransferPrimitives

/// Why a place for checkpoints cannot be used, in words that say what to do about it.
struct FileCheckpointTrouble {
    enum Purpose {
        case reading, writing
    }

    let error: SystemCallError
    let purpose: Purpose
    let fileSystem: any FileSystem

    var message: String {
        let advice = purpose == .writing ? "; name another one, or keep no checkpoint" : ""
        if error.isNotDirectory { return "'\(obstacle)' is a file, not a directory\(advice)" }
        if error.isForeign {
            return "'\(error.path)' is another user's, in a directory that everybody may write to\(advice)"
        }
        if error.isDenied {
            return "'\(error.path)' cannot be \(purpose == .writing ? "written" : "read") (\(error.reason))\(advice)"
        }
        return "the checkpoint cannot be kept: \(error)"
    }

    /// The file that stands in the way: the system names the path that it did not get to.
    private var obstacle: String {
        var path = error.path
        while path.contains("/"), path != "/" {
            // A path below a file has no status at all.
            let status = (try? fileSystem.status(at: path)) ?? nil
            if status?.kind == .file { return path }
            path = path.parentDirectory
        }
        return error.path
    }
}
