#ifndef TRANSFER_SIMULATION_H
#define TRANSFER_SIMULATION_H

/// Hands every job that the concurrency runtime would give to its threads to `enqueue` instead, from now on and for the whole
/// process.
void transfer_simulation_take_over(void (*enqueue)(void *job));

/// Runs a job on this thread up to its next suspension.
void transfer_simulation_run(void *job);

#endif
