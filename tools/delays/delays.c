/*
 * Delays of journal writes with a known cause, for a server that runs with LD_PRELOAD. The file DELAYS, while it is there, says which:
 * lines of a word and numbers (times in ms, amounts per ms). Where there is a file DELAYS_LOG, it gets a line for each write that was
 * delayed by 5 ms and more: begin and end (ms since 1970), bytes, cause, path.
 *
 *   random SHARE MS               that share of the writes is held up for about so long, for no reason
 *   every COUNT MS                one of so many writes is, for up to twice as long
 *   idle-sync MS                  syncs take about so long, and hold up nothing
 *   sync MS SHARE                 syncs take about so long; that share of them holds up the writes of its environment
 *   sync-of-volume MS SHARE       the same, and the writes of all environments
 *   size RATE                     a write takes as long as its bytes at that rate, beside others
 *   large BYTES RATE              the same for writes of so many bytes and more; until they end they hold up the writes of all environments
 *   bytes RATE BUCKET STEP        a bucket of bytes, filled at that rate: all the time, or each STEP
 *   operations RATE BUCKET STEP   the same, of writes
 *   standstill EVERY MS           nothing is written for about so long, at random times so far apart
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/types.h>

#define PATH_LENGTH 4096
#define MOST_SYNCS 64
#define MOST_DELAYS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t device = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t sync_ended = PTHREAD_COND_INITIALIZER;

typedef struct {
  char kind[32];
  double a, b, c;
} Delay;

static struct {
  int is_under_way;
  char environment[PATH_LENGTH];
} syncs[MOST_SYNCS];

static double now_ms(void) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  return at.tv_sec * 1e3 + at.tv_nsec / 1e6;
}

/* What the thread has slept as it was to; a busy machine lets it sleep longer. */
static __thread double slept_ms = 0;

static void sleep_ms(double ms) {
  if (ms <= 0) return;
  slept_ms += ms;
  struct timespec span = {(time_t)(ms / 1000), (long)(fmod(ms, 1000) * 1e6)};
  nanosleep(&span, NULL);
}

/* 0 to 1; with the lock held. */
static double random_share(void) {
  static unsigned state = 12345;
  state = state * 1103515245u + 12345u;
  return (state >> 8) / 16777216.0;
}

static double random_now(void) {
  pthread_mutex_lock(&lock);
  double share = random_share();
  pthread_mutex_unlock(&lock);
  return share;
}

/* What the file says now; its count. */
static int read_delays(Delay *delays) {
  const char *path = getenv("DELAYS");
  FILE *file = path == NULL ? NULL : fopen(path, "r");
  char line[128];
  int count = 0;
  if (file == NULL) return 0;
  while (count < MOST_DELAYS && fgets(line, sizeof line, file) != NULL) {
    Delay *delay = &delays[count];
    delay->a = delay->b = delay->c = 0;
    if (sscanf(line, "%31s %lf %lf %lf", delay->kind, &delay->a, &delay->b, &delay->c) >= 2) count++;
  }
  fclose(file);
  return count;
}

static int is_kind(const Delay *delay, const char *kind) { return strcmp(delay->kind, kind) == 0; }

static int is_guilty_sync(const Delay *delay) { return is_kind(delay, "sync") || is_kind(delay, "sync-of-volume"); }

static void note(double begin, double end, size_t bytes, const char *cause, const char *path) {
  static FILE *file = NULL;
  const char *log = getenv("DELAYS_LOG");
  if (log == NULL) return;
  pthread_mutex_lock(&lock);
  if (file == NULL) file = fopen(log, "a");
  if (file != NULL) {
    fprintf(file, "%.3f %.3f %zu %s %s\n", begin, end, bytes, cause, path);
    fflush(file);
  }
  pthread_mutex_unlock(&lock);
}

static int path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_LENGTH - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return 1;
}

/* The file that is mapped there. */
static int path_at(const void *address, char *path) {
  FILE *file = fopen("/proc/self/maps", "r");
  char line[PATH_LENGTH + 200];
  int found = 0;
  if (file == NULL) return 0;
  while (!found && fgets(line, sizeof line, file) != NULL) {
    unsigned long from, to;
    path[0] = 0;
    if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %4095[^\n]", &from, &to, path) < 2) continue;
    if ((unsigned long)address < from || (unsigned long)address >= to) continue;
    found = 1;
  }
  fclose(file);
  return found && path[0] == '/';
}

/* The folder of the environment to which a journal or data file belongs. */
static void environment_of(const char *path, char *environment) {
  strcpy(environment, path);
  char *end = strstr(environment, "/Journals/");
  if (end == NULL) end = strrchr(environment, '/');
  if (end != NULL) *end = 0;
}

/* Holds up a sync of the file; its place in `syncs` while it holds up writes, -1 if it holds up none. */
static int begin_sync(const Delay *delay, const char *path) {
  int at = -1;
  pthread_mutex_lock(&lock);
  double ms = delay->a * exp((random_share() - 0.5) * 1.5);
  if (is_guilty_sync(delay) && random_share() < delay->b)
    for (int i = 0; i < MOST_SYNCS && at < 0; i++)
      if (!syncs[i].is_under_way) at = i;
  if (at >= 0) {
    syncs[at].is_under_way = 1;
    environment_of(path, syncs[at].environment);
  }
  pthread_mutex_unlock(&lock);
  sleep_ms(ms);
  return at;
}

/* Of all delays: their count. */
static int begin_syncs(const char *path, int *places) {
  Delay delays[MOST_DELAYS];
  int count = read_delays(delays);
  for (int i = 0; i < count; i++)
    places[i] = is_guilty_sync(&delays[i]) || is_kind(&delays[i], "idle-sync") ? begin_sync(&delays[i], path) : -1;
  return count;
}

static void end_syncs(const int *places, int count) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < count; i++)
    if (places[i] >= 0) syncs[places[i]].is_under_way = 0;
  pthread_cond_broadcast(&sync_ended);
  pthread_mutex_unlock(&lock);
}

/* NULL: all of them. */
static void wait_for_syncs(const char *environment) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MOST_SYNCS;) {
    int is_in_the_way =
        syncs[i].is_under_way && (environment == NULL || strcmp(syncs[i].environment, environment) == 0);
    if (is_in_the_way) pthread_cond_wait(&sync_ended, &lock);
    i = is_in_the_way ? 0 : i + 1;
  }
  pthread_mutex_unlock(&lock);
}

/* How long an amount waits for the bucket. */
static double bucket_wait_ms(const Delay *delay, double amount) {
  static double left, left_at = 0;
  double rate = delay->a, most = delay->b, step = delay->c, wait;
  pthread_mutex_lock(&lock);
  double at = now_ms();
  if (left_at == 0) {
    left = most;
    left_at = at;
  }
  if (step > 0) {
    double each = rate * step;
    left = fmin(fmax(most, each), left + (floor(at / step) - floor(left_at / step)) * each) - amount;
    wait = left >= 0 ? 0 : (floor(at / step) + ceil(-left / each)) * step - at;
  } else {
    left = fmin(most, left + (at - left_at) * rate) - amount;
    wait = left >= 0 ? 0 : -left / rate;
  }
  left_at = at;
  pthread_mutex_unlock(&lock);
  return wait;
}

static double standstill_wait_ms(const Delay *delay) {
  static double next = 0, until = 0;
  pthread_mutex_lock(&lock);
  double at = now_ms();
  if (next == 0) next = at - delay->a * log(1 - random_share());
  while (at >= next) {
    until = next + delay->b * (0.6 + 0.8 * random_share());
    next = until - delay->a * log(1 - random_share());
  }
  double wait = until - at;
  pthread_mutex_unlock(&lock);
  return wait;
}

/* A large write has the device for itself for so long. */
static void occupy_device(double ms) {
  pthread_rwlock_wrlock(&device);
  sleep_ms(ms);
  pthread_rwlock_unlock(&device);
}

static void wait_for_device(void) {
  pthread_rwlock_rdlock(&device);
  pthread_rwlock_unlock(&device);
}

/* Holds up a journal write, and says for what. */
static const char *hold_up(const Delay *delay, const char *path, size_t bytes) {
  static int writes = 0;
  if (is_guilty_sync(delay)) {
    char environment[PATH_LENGTH];
    environment_of(path, environment);
    wait_for_syncs(is_kind(delay, "sync") ? environment : NULL);
    return "sync";
  }
  if (is_kind(delay, "size")) {
    sleep_ms(bytes / delay->a);
    return "bytes";
  }
  if (is_kind(delay, "large")) {
    if (bytes < delay->a) {
      wait_for_device();
      return "neighbour";
    }
    occupy_device(bytes / delay->b);
    return "bytes";
  }
  if (is_kind(delay, "bytes") || is_kind(delay, "operations")) {
    sleep_ms(bucket_wait_ms(delay, is_kind(delay, "bytes") ? bytes : 1));
    return is_kind(delay, "bytes") ? "bytes" : "operations";
  }
  if (is_kind(delay, "standstill")) {
    sleep_ms(standstill_wait_ms(delay));
    return "standstill";
  }
  if (is_kind(delay, "every") && __sync_fetch_and_add(&writes, 1) % (int)delay->a == 0) sleep_ms(delay->b * (1 + random_now()));
  if (is_kind(delay, "random") && random_now() < delay->a) sleep_ms(delay->b * (0.5 + random_now()));
  return "random";
}

int msync(void *address, size_t length, int flags) {
  static int (*real)(void *, size_t, int);
  char path[PATH_LENGTH];
  if (real == NULL) real = (int (*)(void *, size_t, int))dlsym(RTLD_NEXT, "msync");
  int places[MOST_DELAYS];
  int count = path_at(address, path) && strstr(path, ".voron") != NULL ? begin_syncs(path, places) : 0;
  int result = real(address, length, flags);
  end_syncs(places, count);
  return result;
}

int fsync(int fd) {
  static int (*real)(int);
  char path[PATH_LENGTH];
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  int places[MOST_DELAYS];
  int count = path_of(fd, path) && strstr(path, ".voron") != NULL ? begin_syncs(path, places) : 0;
  int result = real(fd);
  end_syncs(places, count);
  return result;
}

ssize_t pwrite64(int fd, const void *buffer, size_t bytes, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  char path[PATH_LENGTH];
  if (real == NULL) real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  if (!path_of(fd, path) || strstr(path, ".journal") == NULL) return real(fd, buffer, bytes, offset);
  Delay delays[MOST_DELAYS];
  int count = read_delays(delays);
  for (int i = 0; i < count; i++) {
    double begin = now_ms();
    slept_ms = 0;
    const char *cause = hold_up(&delays[i], path, bytes);
    double end = slept_ms > 0 ? begin + slept_ms : now_ms();
    if (end - begin >= 5) note(begin, end, bytes, cause, path);
  }
  return real(fd, buffer, bytes, offset);
}
