#include "sink.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings settings = {.port = 9100, .threads = 1};

static const char help[] =
    "A server of objects that keeps no bytes and checks no signature, to measure clients by.\n"
    "It answers as S3, OSS or TOS do, whichever the headers of the request are of.\n"
    "\n"
    "usage: bench-sink [options]\n"
    "\n"
    "  --port N                  where to listen on 127.0.0.1 (9100)\n"
    "  --threads N               threads that serve connections, 1 to 16 (1)\n"
    "  --object NAME=SIZE        an object of so many zeros is there wherever a path ends in NAME; k, m, g, t; repeatable\n"
    "  --latency MS              time that a part copy takes (0)\n"
    "  --crc                     sums bodies, and tells the CRC-64 as OSS and TOS do\n"
    "  --tls CERTIFICATE KEY     speaks TLS, with these PEM files\n"
    "\n"
    "GET /_stats tells what was counted, as JSON; GET /_reset does too, and begins anew.\n";

static bool read_size(const char *text, uint64_t *size) {
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    const char *units = "kmgt", *unit = *end ? strchr(units, *end | 32) : NULL;
    if (end == text || (*end && (!unit || end[1]))) return false;
    *size = unit ? value << (10 * (unit - units + 1)) : value;
    return true;
}

static bool read_number(const char *text, int least, int most, int *number) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most) return false;
    *number = (int)value;
    return true;
}

static bool read_object(char *text) {
    char *sign = strchr(text, '=');
    int limit = sizeof settings.objects / sizeof settings.objects[0];
    if (!sign || settings.object_count == limit) return false;
    *sign = 0;
    struct pretended *object = &settings.objects[settings.object_count];
    object->name = text;
    if (!read_size(sign + 1, &object->size)) return false;
    settings.object_count++;
    return true;
}

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"port", required_argument, NULL, 'p'},    {"threads", required_argument, NULL, 't'},
        {"object", required_argument, NULL, 'o'},  {"latency", required_argument, NULL, 'l'},
        {"crc", no_argument, NULL, 'c'},           {"tls", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
    };
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        bool good = false;
        switch (option) {
        case 'p': good = read_number(optarg, 1, 65535, &settings.port); break;
        case 't': good = read_number(optarg, 1, 16, &settings.threads); break;
        case 'l': good = read_number(optarg, 0, 60000, &settings.latency); break;
        case 'o': good = read_object(optarg); break;
        case 'c': good = settings.crc = true; break;
        case 's':
            good = optind < argc;
            settings.certificate = optarg;
            if (good) settings.key = argv[optind++];
            break;
        case 'h': fputs(help, stdout); return 0;
        }
        if (!good) {
            fputs("bench-sink: this command line cannot be followed; --help tells more\n", stderr);
            return 2;
        }
    }
    signal(SIGPIPE, SIG_IGN);
    return serve();
}
