/*
 * Waits that a signal of somebody else ends: `signals WAY NUMBER FOLDER`. WAY is how it sleeps: with a handler in `sem`,
 * `read`, `lock` or `child`, or in `sigwait`, `sigsuspend`, `ppoll`, `signalfd`, where the signal is blocked until then.
 */
#include "deceive.h"
#include <poll.h>
#include <semaphore.h>
#include <sys/file.h>
#include <sys/signalfd.h>

static void nothing(int signal) { (void)signal; }

int main(int count, char **words) {
  if (count < 4) return 1;
  const char *way = words[1], *folder = words[3];
  int number = atoi(words[2]), ends[2];
  char bytes[200];
  sigset_t one, none;
  struct sigaction how = {.sa_handler = nothing};
  sigemptyset(&none);
  sigemptyset(&one);
  sigaddset(&one, number);
  if (pipe(ends)) return 1;
  tell_pid(folder);
  if (!strcmp(way, "sem")) {
    sem_t never;
    sem_init(&never, 0, 0);
    sigaction(number, &how, 0);
    sem_wait(&never);
  } else if (!strcmp(way, "read")) {
    sigaction(number, &how, 0);
    if (read(ends[0], bytes, 1) > 0) return 1;
  } else if (!strcmp(way, "lock")) {
    sigaction(number, &how, 0);
    flock(open(in(folder, "lock"), O_RDWR | O_CREAT, 0600), LOCK_EX);
    flock(open(in(folder, "lock"), O_RDWR), LOCK_EX);
  } else if (!strcmp(way, "child")) {
    /* The child reads a pipe of which it has both ends. */
    int child = fork();
    if (child == 0) _exit(read(ends[0], bytes, 1) < 0);
    sigaction(number, &how, 0);
    wait(0);
    kill(child, SIGKILL);
  } else {
    sigprocmask(SIG_BLOCK, &one, 0);
    if (!strcmp(way, "sigwait")) sigwaitinfo(&one, 0);
    else if (!strcmp(way, "sigsuspend")) sigaction(number, &how, 0), sigsuspend(&none);
    else if (!strcmp(way, "ppoll")) {
      struct pollfd empty = {ends[0], POLLIN, 0};
      sigaction(number, &how, 0);
      ppoll(&empty, 1, 0, &none);
    } else if (!strcmp(way, "signalfd")) {
      struct pollfd both[2] = {{ends[0], POLLIN, 0}, {signalfd(-1, &one, 0), POLLIN, 0}};
      poll(both, 2, -1);
    } else {
      return 1;
    }
  }
  return went_on();
}
