#define _GNU_SOURCE
#include "floor.h"

#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct options options = {.part_size = 8 << 20, .jobs = 4, .share = 1, .shares = 1};
struct plan plan = {.file = -1};

static const char help[] =
    "Makes the transfers of transfer-bench by libcurl alone, over S3 without signatures, and prints {\"op_s\": …}.\n"
    "\n"
    "usage: bench-floor put FILE | get [FILE] | copy SOURCE-KEY | small DIR\n"
    "           --endpoint URL --bucket NAME --key KEY [--part-mib N] [--jobs N] [--crc] [--share I/N] [--ca-file FILE]\n"
    "\n"
    "  --crc          sums what is sent or received, as the library does\n"
    "  --share I/N    puts one of N equal stretches of the file alone, so that N of these programs share the work\n";

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("bench-floor: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

static void read_options(int argc, char **argv) {
    static const struct option names[] = {
        {"endpoint", required_argument, NULL, 'e'}, {"bucket", required_argument, NULL, 'b'},
        {"key", required_argument, NULL, 'k'},      {"part-mib", required_argument, NULL, 'p'},
        {"jobs", required_argument, NULL, 'j'},     {"ca-file", required_argument, NULL, 'a'},
        {"crc", no_argument, NULL, 'c'},            {"share", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0},
    };
    int option;
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
        switch (option) {
        case 'e': options.endpoint = optarg; break;
        case 'b': options.bucket = optarg; break;
        case 'k': options.key = optarg; break;
        case 'p': options.part_size = (uint64_t)(strtod(optarg, NULL) * (1 << 20)); break;
        case 'j': options.jobs = atoi(optarg); break;
        case 'a': options.ca_file = optarg; break;
        case 'c': options.crc = true; break;
        case 's':
            if (sscanf(optarg, "%u/%u", &options.share, &options.shares) != 2) fail("--share takes I/N");
            break;
        case 'h': fputs(help, stdout); exit(0);
        default: fail("this command line cannot be followed; --help tells more");
        }
    }
    static const char *const works[] = {"put", "get", "copy", "small"};
    const char *work = optind < argc ? argv[optind] : "";
    options.operand = optind + 1 < argc ? argv[optind + 1] : NULL;
    size_t i = 0;
    while (i < 4 && strcmp(work, works[i])) i++;
    options.work = (enum work)i;
    if (i == 4 || (!options.operand && options.work != WORK_GET)) fail("what is to be done? --help tells more");
    if (!options.endpoint || !options.bucket || !options.key) fail("--endpoint, --bucket and --key are needed");
    if (options.jobs < 1 || options.jobs > 1000 || !options.part_size) fail("--jobs and --part-mib must be above 0");
    if (!options.share || options.share > options.shares) fail("--share counts from 1");
}

static void plan_stretches(uint64_t whole) {
    uint64_t start = whole / options.shares * (options.share - 1);
    uint64_t size = (options.share == options.shares ? whole : whole / options.shares * options.share) - start;
    plan.size = size;
    plan.count = (size_t)((size + options.part_size - 1) / options.part_size);
    if (!plan.count) fail("nothing to move");
    plan.pieces = calloc(plan.count, sizeof *plan.pieces);
    if (!plan.pieces) fail("no memory");
    for (size_t i = 0; i < plan.count; i++) {
        uint64_t offset = i * options.part_size, left = size - offset;
        plan.pieces[i].offset = start + offset;
        plan.pieces[i].length = left < options.part_size ? left : options.part_size;
    }
}

static void plan_files(void) {
    struct dirent **entries;
    int count = scandir(options.operand, &entries, NULL, alphasort);
    if (count < 0) fail("%s cannot be read", options.operand);
    plan.pieces = calloc((size_t)count + 1, sizeof *plan.pieces);
    for (int i = 0; i < count; i++) {
        struct stat status;
        struct piece *piece = &plan.pieces[plan.count];
        if (asprintf(&piece->path, "%s/%s", options.operand, entries[i]->d_name) < 0) fail("no memory");
        if (stat(piece->path, &status) || !S_ISREG(status.st_mode)) continue;
        piece->length = (uint64_t)status.st_size;
        plan.count++;
    }
}

static void make_plan(void) {
    switch (options.work) {
    case WORK_PUT: {
        struct stat status;
        plan.file = open(options.operand, O_RDONLY | O_CLOEXEC);
        if (plan.file < 0 || fstat(plan.file, &status)) fail("%s cannot be read", options.operand);
        plan_stretches((uint64_t)status.st_size);
        break;
    }
    case WORK_GET:
        plan_stretches(head_object(options.key));
        if (!options.operand) break;
        plan.file = open(options.operand, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (plan.file < 0 || ftruncate(plan.file, (off_t)plan.size)) fail("%s cannot be written", options.operand);
        break;
    case WORK_COPY: plan_stretches(head_object(options.operand)); break;
    case WORK_SMALL: plan_files(); break;
    }
}

/// Moves all pieces; another begins when any ends.
static void move_all(void) {
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)options.jobs);
    struct slot *slots = calloc((size_t)options.jobs, sizeof *slots);
    if (!multi || !slots) fail("no memory");
    size_t begun = 0, ended = 0;
    for (int i = 0; i < options.jobs && begun < plan.count; i++) {
        slot_prepare(&slots[i]);
        slot_begin(&slots[i], &plan.pieces[begun++]);
        curl_multi_add_handle(multi, slots[i].handle);
    }
    while (ended < plan.count) {
        int running, left;
        if (curl_multi_perform(multi, &running) != CURLM_OK) fail("curl_multi_perform");
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            struct slot *slot;
            CURL *handle = message->easy_handle;
            curl_easy_getinfo(handle, CURLINFO_PRIVATE, &slot);
            slot_end(slot, message->data.result);
            curl_multi_remove_handle(multi, handle);
            ended++;
            if (begun == plan.count) continue;
            slot_begin(slot, &plan.pieces[begun++]);
            curl_multi_add_handle(multi, handle);
        }
        if (ended < plan.count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
}

int main(int argc, char **argv) {
    read_options(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    curl_global_init(CURL_GLOBAL_DEFAULT);
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    make_plan();
    bool in_parts = options.work == WORK_PUT || options.work == WORK_COPY;
    if (in_parts) begin_upload();
    move_all();
    if (in_parts) complete_upload();
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("{\"op_s\": %.6f}\n", (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9);
    return 0;
}
