/* What a timer ends in 600 s: `timerfd` beside stdin, a `posix` timer over a read of stdin, `poll` and `lock` with a limit. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const struct itimerspec later = {{0, 0}, {600, 0}};

int main(int count, char **words) {
  char byte;
  const char *way = count > 1 ? words[1] : "timerfd";
  if (!strcmp(way, "timerfd")) {
    int set = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct epoll_event event = {EPOLLIN};
    timerfd_settime(timer, 0, &later, 0);
    epoll_ctl(set, EPOLL_CTL_ADD, 0, &event);
    epoll_ctl(set, EPOLL_CTL_ADD, timer, &event);
    return epoll_wait(set, &event, 1, -1);
  }
  if (!strcmp(way, "posix")) {
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, 0, &timer);
    timer_settime(timer, 0, &later, 0);
    return read(0, &byte, 1) < 0;
  }
  if (!strcmp(way, "poll")) {
    struct pollfd one = {0, POLLIN, 0};
    return poll(&one, 1, 600000);
  }
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  struct timespec end;
  pthread_mutex_lock(&mutex);
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 600;
  return pthread_mutex_timedlock(&mutex, &end);
}
