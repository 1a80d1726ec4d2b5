/*
 * A volume that is slow on purpose, for a server that runs with LD_PRELOAD. It is while the file of SLOW_VOLUME exists, which
 * holds numbers: how long a sync of a data file takes (ms), whether journal writes wait until it has ended (1) or not (0), for how
 * long one of 40 journal writes is held up for no reason (ms, up to twice as long), and, if it is there, for how long each write of
 * a compressed transaction is (ms, up to twice as long).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/types.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static int syncs = 0, writes = 0;

typedef struct {
  long sync_ms, blocks, delay_ms, compressed_ms;
} Slowness;

static Slowness slowness(void) {
  const char *path = getenv("SLOW_VOLUME");
  FILE *file = path == NULL ? NULL : fopen(path, "r");
  Slowness found = {0, 0, 0, 0};
  if (file == NULL) return found;
  if (fscanf(file, "%ld %ld %ld %ld", &found.sync_ms, &found.blocks, &found.delay_ms, &found.compressed_ms) < 3)
    found.sync_ms = 0;
  fclose(file);
  return found;
}

static void sleep_ms(long ms) {
  struct timespec span = {ms / 1000, (ms % 1000) * 1000000L};
  nanosleep(&span, NULL);
}

static int is_file(int fd, const char *part) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strstr(path, part) != NULL;
}

static void begin_sync(long ms) {
  pthread_mutex_lock(&lock);
  syncs++;
  pthread_mutex_unlock(&lock);
  sleep_ms(ms);
}

static void end_sync(void) {
  pthread_mutex_lock(&lock);
  if (--syncs == 0) pthread_cond_broadcast(&ended);
  pthread_mutex_unlock(&lock);
}

int msync(void *address, size_t length, int flags) {
  static int (*real)(void *, size_t, int);
  if (real == NULL) real = (int (*)(void *, size_t, int))dlsym(RTLD_NEXT, "msync");
  long ms = slowness().sync_ms;
  if (ms > 0) begin_sync(ms);
  int result = real(address, length, flags);
  if (ms > 0) end_sync();
  return result;
}

int fsync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  long ms = is_file(fd, ".voron") ? slowness().sync_ms : 0;
  if (ms > 0) begin_sync(ms);
  int result = real(fd);
  if (ms > 0) end_sync();
  return result;
}

/* Whether the header of the transaction, with which its journal entry begins, has the size of compressed data (Voron's TransactionHeader). */
static int is_compressed(const void *bytes, size_t count) {
  int64_t size;
  if (count < 192) return 0;
  memcpy(&size, (const char *)bytes + 112, sizeof size);
  return size > 0 && (size_t)size <= count;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (real == NULL) real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  if (is_file(fd, ".journal")) {
    Slowness slow = slowness();
    if (slow.blocks) {
      pthread_mutex_lock(&lock);
      while (syncs > 0) pthread_cond_wait(&ended, &lock);
      pthread_mutex_unlock(&lock);
    }
    if (slow.delay_ms > 0 && __sync_fetch_and_add(&writes, 1) % 40 == 0)
      sleep_ms(slow.delay_ms + (long)(clock() % slow.delay_ms));
    if (slow.compressed_ms > 0 && is_compressed(bytes, count))
      sleep_ms(slow.compressed_ms + (long)(clock() % slow.compressed_ms));
  }
  return real(fd, bytes, count, offset);
}
