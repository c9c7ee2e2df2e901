// What kind of file system a file is on, which Swift's own modules for C do not tell.
#ifndef OBJECT_TRANSFER_CFILESYSTEM_SHIM_H
#define OBJECT_TRANSFER_CFILESYSTEM_SHIM_H

#include <stdbool.h>

#if defined(__linux__)
#include <linux/magic.h>
#include <sys/vfs.h>

/// Whether the file is kept in memory, and in `room` how many bytes more its file system takes; `room` is the largest number where
/// there is no limit. Returns 0, or -1 with errno set.
static inline int transfer_memory_room(int descriptor, bool *is_memory, unsigned long long *room) {
    struct statfs system;
    if (fstatfs(descriptor, &system) != 0) {
        return -1;
    }
    *is_memory = system.f_type == TMPFS_MAGIC;
    // A tmpfs without a limit has no blocks to count.
    *room = system.f_blocks == 0 ? ~0ULL : (unsigned long long)system.f_bavail * (unsigned long long)system.f_bsize;
    return 0;
}
#endif

#endif
