/*
 * Sets the wall clock of a process that runs with LD_PRELOAD ahead by CLOCK_OFFSET seconds; negative: behind. What measures
 * lengths of time (CLOCK_MONOTONIC) and the times of files stay as they are.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset(void) {
  static long seconds = 0;
  static int is_read = 0;
  if (!is_read) {
    const char *text = getenv("CLOCK_OFFSET");
    if (text) seconds = atol(text);
    is_read = 1;
  }
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  long result = syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += offset();
  return (int)result;
}

int gettimeofday(struct timeval *time, void *zone) {
  struct timespec now;
  (void)zone;
  int result = clock_gettime(CLOCK_REALTIME, &now);
  if (result == 0 && time) {
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
  }
  return result;
}

time_t time(time_t *into) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}
