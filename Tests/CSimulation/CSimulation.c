#include "CSimulation.h"

#include <stdint.h>

// The runtime's own hook and entry point. They have Swift's calling convention, which Swift itself cannot give a variable.

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*enqueue_original)(void *job);

extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_original original);
extern SWIFT_CALL void swift_job_run(void *job, void *executor, uintptr_t witness);

static void (*receiver)(void *job);

static SWIFT_CALL void enqueue(void *job, enqueue_original original) {
    (void)original;
    receiver(job);
}

void transfer_simulation_take_over(void (*enqueue_job)(void *job)) {
    receiver = enqueue_job;
    swift_task_enqueueGlobal_hook = enqueue;
}

// No executor: that of code which belongs to none.
void transfer_simulation_run(void *job) { swift_job_run(job, 0, 0); }
