// Runs a command and writes what it took, as one line of JSON, to a file.
//
// A child counts the memory of whoever started it as its own until it is another program, and its peak keeps that. This
// program is small; an interpreter that measures is not.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t child;

/// The command ends with this program.
static void pass_on(int number) {
    if (child > 0) kill(child, number);
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int argc, char **argv) {
    if (argc < 3) {
        fputs("usage: bench-time FILE COMMAND [ARGUMENT]...\n", stderr);
        return 2;
    }
    struct timespec from, to;
    signal(SIGTERM, pass_on);
    clock_gettime(CLOCK_MONOTONIC, &from);
    child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
        _exit(127);
    }
    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno == EINTR) continue;
        perror("bench-time");
        return 1;
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    FILE *file = fopen(argv[1], "w");
    if (!file) {
        perror(argv[1]);
        return 1;
    }
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    double wall = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    fprintf(
        file, "{\"wall\": %.6f, \"user\": %.6f, \"system\": %.6f, \"peak_kib\": %ld, \"status\": %d}\n", wall,
        seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_maxrss, code);
    fclose(file);
    return code;
}
