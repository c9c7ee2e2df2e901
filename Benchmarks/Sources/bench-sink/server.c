#define _GNU_SOURCE
#include "sink.h"

#include "CChecksum.h"
#include "channel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum {
    LONGEST_HEAD = 16 << 10,
    SCRATCH = 256 << 10,
    /// Bytes of one body before the other connections have their turn.
    TURN = 4 << 20,
};

enum state { READS_HEAD, READS_BODY, WAITS, ANSWERS };

struct connection {
    struct channel channel;
    struct worker *worker;
    enum state state;
    /// The events that epoll tells.
    uint32_t interest;
    char in[LONGEST_HEAD];
    size_t filled, head_length;
    struct request request;
    uint64_t body_left, crc;
    struct chunks chunks;
    struct text out;
    size_t written;
    uint64_t zeros_left;
    /// Nanoseconds of the monotonic clock, and the connection that is due next.
    uint64_t due;
    struct connection *next;
};

struct worker {
    int epoll, timer;
    /// Connections that wait, in the order in which they are due: all wait equally long.
    struct connection *first, *last;
    char scratch[SCRATCH];
};

static struct worker workers[16];
static int listener;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void watch(struct connection *connection, uint32_t events) {
    if (connection->interest == events) return;
    connection->interest = events;
    struct epoll_event event = {.events = events, .data.ptr = connection};
    epoll_ctl(connection->worker->epoll, EPOLL_CTL_MOD, connection->channel.fd, &event);
}

static void drop(struct connection *connection) {
    if (connection->state != READS_HEAD) stats_end(&connection->request);
    channel_close(&connection->channel);
    free(connection->out.bytes);
    free(connection);
}

/// The outcome of a step: go on with the next state, wait for the socket or the clock, or give the connection up.
enum step { GOES_ON, PAUSES, ENDS };

static enum step outcome(ssize_t count) { return count == CHANNEL_AGAIN ? PAUSES : ENDS; }

static enum step begin_request(struct connection *connection, char *end) {
    end[2] = 0;
    connection->head_length = (size_t)(end + 4 - connection->in);
    if (!request_read(&connection->request, connection->in)) return ENDS;
    connection->body_left = connection->request.length;
    connection->crc = 0;
    connection->chunks = (struct chunks){CHUNK_SIZE};
    connection->state = READS_BODY;
    stats_begin();
    bool has_more = connection->filled > connection->head_length;
    bool has_body = connection->body_left || connection->request.is_chunked;
    if (connection->request.expects_continue && has_body && !has_more) {
        static const char interim[] = "HTTP/1.1 100 Continue\r\n\r\n";
        // The socket's buffer is empty, so this fits.
        if (channel_write(&connection->channel, interim, sizeof interim - 1) < 0) return ENDS;
    }
    return GOES_ON;
}

static enum step read_head(struct connection *connection) {
    for (;;) {
        char *end = memmem(connection->in, connection->filled, "\r\n\r\n", 4);
        if (end) return begin_request(connection, end);
        size_t room = sizeof connection->in - connection->filled;
        if (!room) return ENDS;
        ssize_t count = channel_read(&connection->channel, connection->in + connection->filled, room);
        if (count < 0) return outcome(count);
        connection->filled += (size_t)count;
    }
}

/// What came behind the head is of the body, and behind that of the next request.
static void take_from_buffer(struct connection *connection) {
    char *rest = connection->in + connection->head_length;
    size_t there = connection->filled - connection->head_length;
    if (there > connection->body_left) there = connection->body_left;
    if (!there) return;
    if (settings.crc) connection->crc = transfer_crc64_update(connection->crc, rest, there);
    connection->body_left -= there;
    connection->head_length += there;
}

/// Nothing follows a body before it was answered, so all that comes is of it.
static enum step read_chunks(struct connection *connection) {
    struct chunks *chunks = &connection->chunks;
    chunks_take(chunks, connection->in + connection->head_length, connection->filled - connection->head_length);
    connection->filled = connection->head_length;
    while (chunks->state != CHUNK_DONE) {
        ssize_t count = channel_read(&connection->channel, connection->worker->scratch, SCRATCH);
        if (count < 0) return outcome(count);
        chunks_take(chunks, connection->worker->scratch, (size_t)count);
    }
    struct request *request = &connection->request;
    if (!request->decoded_length) request->decoded_length = chunks->total;
    connection->state = ANSWERS;
    return GOES_ON;
}

static enum step read_body(struct connection *connection) {
    struct worker *worker = connection->worker;
    if (connection->request.is_chunked) return read_chunks(connection);
    take_from_buffer(connection);
    size_t taken = 0;
    while (connection->body_left) {
        if (taken >= TURN && !channel_has_pending(&connection->channel)) return PAUSES;
        uint64_t left = connection->body_left;
        ssize_t count;
        if (settings.crc) {
            count = channel_read(&connection->channel, worker->scratch, left < SCRATCH ? left : SCRATCH);
            if (count > 0) connection->crc = transfer_crc64_update(connection->crc, worker->scratch, (size_t)count);
        } else {
            count = channel_drop(&connection->channel, worker->scratch, left < TURN ? left : TURN);
        }
        if (count < 0) return outcome(count);
        taken += (size_t)count;
        connection->body_left -= (size_t)count;
    }
    connection->state = ANSWERS;
    if (settings.latency && request_copies_part(&connection->request)) connection->state = WAITS;
    return GOES_ON;
}

static void set_timer(struct worker *worker) {
    uint64_t due = worker->first ? worker->first->due : 0;
    struct itimerspec time = {.it_value = {.tv_sec = (time_t)(due / 1000000000), .tv_nsec = (long)(due % 1000000000)}};
    timerfd_settime(worker->timer, TFD_TIMER_ABSTIME, &time, NULL);
}

static void wait_for_time(struct connection *connection) {
    struct worker *worker = connection->worker;
    watch(connection, 0);
    connection->due = now() + (uint64_t)settings.latency * 1000000;
    connection->next = NULL;
    if (worker->first) {
        worker->last->next = connection;
        worker->last = connection;
    } else {
        worker->first = worker->last = connection;
        set_timer(worker);
    }
}

static enum step send_answer(struct connection *connection) {
    if (!connection->out.length) {
        connection->zeros_left = answer(&connection->request, connection->crc, &connection->out);
        connection->written = 0;
    }
    while (connection->written < connection->out.length) {
        ssize_t count = channel_write(
            &connection->channel, connection->out.bytes + connection->written,
            connection->out.length - connection->written);
        if (count < 0) return outcome(count);
        connection->written += (size_t)count;
    }
    size_t sent = 0;
    while (connection->zeros_left) {
        if (sent >= TURN) return PAUSES;
        ssize_t count = channel_write_zeros(&connection->channel, connection->zeros_left);
        if (count < 0) return outcome(count);
        sent += (size_t)count;
        connection->zeros_left -= (size_t)count;
    }
    if (connection->request.closes) return ENDS;
    stats_end(&connection->request);
    connection->filled -= connection->head_length;
    memmove(connection->in, connection->in + connection->head_length, connection->filled);
    connection->out.length = 0;
    connection->state = READS_HEAD;
    return GOES_ON;
}

static void run(struct connection *connection) {
    for (;;) {
        enum step step = PAUSES;
        switch (connection->state) {
        case READS_HEAD: step = read_head(connection); break;
        case READS_BODY: step = read_body(connection); break;
        case WAITS: wait_for_time(connection); return;
        case ANSWERS: step = send_answer(connection); break;
        }
        if (step == ENDS) return drop(connection);
        if (step == PAUSES) break;
    }
    watch(connection, connection->state == ANSWERS ? EPOLLOUT : EPOLLIN);
}

static void answer_all_due(struct worker *worker) {
    uint64_t count, time = now();
    if (read(worker->timer, &count, sizeof count) < 0) return;
    while (worker->first && worker->first->due <= time) {
        struct connection *connection = worker->first;
        worker->first = connection->next;
        connection->state = ANSWERS;
        run(connection);
    }
    if (worker->first) set_timer(worker);
}

static void accept_all(void) {
    static unsigned accepted;
    int fd, yes = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        struct connection *connection = calloc(1, sizeof *connection);
        if (!connection || !channel_open(&connection->channel, fd)) {
            close(fd);
            free(connection);
            continue;
        }
        stats_connected();
        connection->worker = &workers[accepted++ % (unsigned)settings.threads];
        connection->interest = EPOLLIN;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
        epoll_ctl(connection->worker->epoll, EPOLL_CTL_ADD, fd, &event);
    }
}

static void *work(void *argument) {
    struct worker *worker = argument;
    for (;;) {
        struct epoll_event events[128];
        int count = epoll_wait(worker->epoll, events, 128, -1);
        for (int i = 0; i < count; i++) {
            void *what = events[i].data.ptr;
            if (what == &listener) {
                accept_all();
            } else if (what == worker) {
                answer_all_due(worker);
            } else if (((struct connection *)what)->state != WAITS) {
                run(what);
            }
        }
    }
    return NULL;
}

static bool watch_descriptor(struct worker *worker, int fd, void *what) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};
    return fd >= 0 && epoll_ctl(worker->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool listen_on(int port) {
    int yes = 1;
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 4096) == 0;
}

int serve(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (!channel_prepare()) return 1;
    for (int i = 0; i < settings.threads; i++) {
        workers[i].epoll = epoll_create1(EPOLL_CLOEXEC);
        workers[i].timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
        if (!watch_descriptor(&workers[i], workers[i].timer, &workers[i])) {
            perror("bench-sink");
            return 1;
        }
    }
    if (!listen_on(settings.port) || !watch_descriptor(&workers[0], listener, &listener)) {
        perror("bench-sink: the port");
        return 1;
    }
    for (int i = 1; i < settings.threads; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, &workers[i])) return 1;
    }
    work(&workers[0]);
    return 0;
}
