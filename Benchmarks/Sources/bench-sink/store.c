#include "sink.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 10000, OBJECT_BUCKETS = 1 << 14, UPLOAD_BUCKETS = 1 << 8 };

struct entry {
    char *path;
    struct object object;
    struct entry *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *objects[OBJECT_BUCKETS];
static struct upload *uploads[UPLOAD_BUCKETS];
static uint64_t last_id;

void store_lock(void) { pthread_mutex_lock(&lock); }
void store_unlock(void) { pthread_mutex_unlock(&lock); }

static void *allocated(void *memory) {
    if (memory) return memory;
    fputs("bench-sink: no memory\n", stderr);
    exit(1);
}

struct upload *store_begin(void) {
    struct upload *upload = allocated(calloc(1, sizeof *upload));
    upload->id = ++last_id;
    struct upload **place = &uploads[upload->id % UPLOAD_BUCKETS];
    upload->next = *place;
    *place = upload;
    return upload;
}

struct upload *store_find(uint64_t id) {
    struct upload *upload = uploads[id % UPLOAD_BUCKETS];
    while (upload && upload->id != id) upload = upload->next;
    return upload;
}

void store_end(struct upload *upload) {
    struct upload **place = &uploads[upload->id % UPLOAD_BUCKETS];
    while (*place != upload) place = &(*place)->next;
    *place = upload->next;
    free(upload->parts);
    free(upload);
}

struct part *store_part(struct upload *upload, int number) {
    if (number < 1 || number > MOST_PARTS) return NULL;
    if (number > upload->count) {
        int count = number * 2 < MOST_PARTS ? number * 2 : MOST_PARTS;
        upload->parts = allocated(realloc(upload->parts, (size_t)count * sizeof *upload->parts));
        memset(upload->parts + upload->count, 0, (size_t)(count - upload->count) * sizeof *upload->parts);
        upload->count = count;
    }
    return &upload->parts[number - 1];
}

static struct entry **place_of(const char *path) {
    uint32_t hash = 2166136261u;
    for (const char *at = path; *at; at++) hash = (hash ^ (unsigned char)*at) * 16777619u;
    struct entry **place = &objects[hash % OBJECT_BUCKETS];
    while (*place && strcmp((*place)->path, path)) place = &(*place)->next;
    return place;
}

void store_put(const char *path, const struct object *object) {
    struct entry **place = place_of(path);
    if (!*place) {
        *place = allocated(calloc(1, sizeof **place));
        (*place)->path = allocated(strdup(path));
    }
    (*place)->object = *object;
}

bool store_get(const char *path, struct object *object) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (int i = 0; i < settings.object_count; i++) {
        if (strcmp(settings.objects[i].name, name)) continue;
        uint64_t size = settings.objects[i].size;
        *object = (struct object){.size = size, .crc = settings.crc ? crc_of_zeros(size) : 0};
        snprintf(object->tag, sizeof object->tag, "%032llx-2", (unsigned long long)size);
        return true;
    }
    struct entry *entry = *place_of(path);
    if (entry) *object = entry->object;
    return entry != NULL;
}

void store_clear(void) {
    for (int i = 0; i < OBJECT_BUCKETS; i++) {
        while (objects[i]) {
            struct entry *entry = objects[i];
            objects[i] = entry->next;
            free(entry->path);
            free(entry);
        }
    }
}
