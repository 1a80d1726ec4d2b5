/*
 * Delays of journal writes with a known cause, for a server that runs with LD_PRELOAD. The file DELAYS says which, in words and numbers
 * (times in ms, amounts per ms); the file DELAYS_LOG gets a line for each: begin and end (ms since 1970), bytes, cause, path.
 *
 *   random SHARE MS               that share of the writes is held up for about so long, for no reason
 *   sync MS SHARE                 syncs take about so long; that share of them holds up the writes of its environment
 *   sync-of-volume MS SHARE       the same, and the writes of all environments
 *   size RATE                     a write takes as long as its bytes at that rate, beside others
 *   line RATE                     the same, one write after the other
 *   bytes RATE BUCKET STEP        a bucket of bytes, filled at that rate: all the time, or each STEP
 *   operations RATE BUCKET STEP   the same, of writes
 *   standstill EVERY MS           nothing is written for about so long, at random times so far apart
 *
 * IDLE_SYNC_MS: how long syncs take with the other kinds, without holding up anything.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/types.h>

#define PATH_LENGTH 4096
#define MOST_SYNCS 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t device = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sync_ended = PTHREAD_COND_INITIALIZER;

static struct {
  int is_read;
  char kind[32];
  double a, b, c;
} asked;

static struct {
  int is_under_way;
  char environment[PATH_LENGTH];
} syncs[MOST_SYNCS];

static double now_ms(void) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  return at.tv_sec * 1e3 + at.tv_nsec / 1e6;
}

static void sleep_ms(double ms) {
  if (ms <= 0) return;
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

/* Once. */
static void read_asked(void) {
  pthread_mutex_lock(&lock);
  if (!asked.is_read) {
    FILE *file = fopen(getenv("DELAYS"), "r");
    if (file != NULL) {
      if (fscanf(file, "%31s %lf %lf %lf", asked.kind, &asked.a, &asked.b, &asked.c) < 1) asked.kind[0] = 0;
      fclose(file);
    }
    asked.is_read = 1;
  }
  pthread_mutex_unlock(&lock);
}

static int is_kind(const char *kind) { return strcmp(asked.kind, kind) == 0; }

static void note(double begin, double end, size_t bytes, const char *cause, const char *path) {
  static FILE *file = NULL;
  pthread_mutex_lock(&lock);
  if (file == NULL) file = fopen(getenv("DELAYS_LOG"), "a");
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

static void sync_of(const char *path) {
  int is_guilty = is_kind("sync") || is_kind("sync-of-volume");
  const char *idle = getenv("IDLE_SYNC_MS");
  double ms = is_guilty ? asked.a : idle == NULL ? 0 : atof(idle);
  if (ms <= 0) return;
  int at = -1;
  pthread_mutex_lock(&lock);
  ms *= exp((random_share() - 0.5) * 1.5);
  if (is_guilty && random_share() < asked.b)
    for (int i = 0; i < MOST_SYNCS && at < 0; i++)
      if (!syncs[i].is_under_way) at = i;
  if (at >= 0) {
    syncs[at].is_under_way = 1;
    environment_of(path, syncs[at].environment);
  }
  pthread_mutex_unlock(&lock);
  sleep_ms(ms);
  if (at < 0) return;
  pthread_mutex_lock(&lock);
  syncs[at].is_under_way = 0;
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
static double bucket_wait_ms(double amount) {
  static double left, left_at = 0;
  double rate = asked.a, most = asked.b, step = asked.c, wait;
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

static double standstill_wait_ms(void) {
  static double next = 0, until = 0;
  pthread_mutex_lock(&lock);
  double at = now_ms();
  if (next == 0) next = at - asked.a * log(1 - random_share());
  while (at >= next) {
    until = next + asked.b * (0.6 + 0.8 * random_share());
    next = until - asked.a * log(1 - random_share());
  }
  double wait = until - at;
  pthread_mutex_unlock(&lock);
  return wait;
}

/* Holds up a journal write, and says for what. */
static const char *hold_up(const char *path, size_t bytes) {
  char environment[PATH_LENGTH];
  if (is_kind("sync") || is_kind("sync-of-volume")) {
    environment_of(path, environment);
    wait_for_syncs(is_kind("sync") ? environment : NULL);
    return "sync";
  }
  if (is_kind("size")) {
    sleep_ms(bytes / asked.a);
    return "size";
  }
  if (is_kind("line")) {
    double begin = now_ms();
    pthread_mutex_lock(&device);
    int is_of_others = now_ms() - begin > bytes / asked.a;
    sleep_ms(bytes / asked.a);
    pthread_mutex_unlock(&device);
    return is_of_others ? "neighbour" : "size";
  }
  if (is_kind("bytes") || is_kind("operations")) {
    sleep_ms(bucket_wait_ms(is_kind("bytes") ? bytes : 1));
    return "ceiling";
  }
  if (is_kind("standstill")) {
    sleep_ms(standstill_wait_ms());
    return "outside";
  }
  if (random_now() < asked.a) sleep_ms(asked.b * (0.5 + random_now()));
  return "random";
}

int msync(void *address, size_t length, int flags) {
  static int (*real)(void *, size_t, int);
  char path[PATH_LENGTH];
  if (real == NULL) real = (int (*)(void *, size_t, int))dlsym(RTLD_NEXT, "msync");
  read_asked();
  if (path_at(address, path) && strstr(path, ".voron") != NULL) sync_of(path);
  return real(address, length, flags);
}

int fsync(int fd) {
  static int (*real)(int);
  char path[PATH_LENGTH];
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  read_asked();
  if (path_of(fd, path) && strstr(path, ".voron") != NULL) sync_of(path);
  return real(fd);
}

ssize_t pwrite64(int fd, const void *buffer, size_t bytes, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  char path[PATH_LENGTH];
  if (real == NULL) real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  read_asked();
  if (!path_of(fd, path) || strstr(path, ".journal") == NULL) return real(fd, buffer, bytes, offset);
  double begin = now_ms();
  const char *cause = hold_up(path, bytes);
  double end = now_ms();
  ssize_t written = real(fd, buffer, bytes, offset);
  if (end - begin >= 5) note(begin, end, bytes, cause, path);
  return written;
}
