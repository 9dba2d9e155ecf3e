/* Uses the processor: `busy`, `yield` in a loop, `leader`: a thread that computes after its leader has ended. */
#include <pthread.h>
#include <sched.h>
#include <string.h>

static void *busy(void *unused) {
  volatile unsigned long count = 0;
  for (;;) count++;
  return unused;
}

int main(int count, char **words) {
  const char *way = count > 1 ? words[1] : "busy";
  if (!strcmp(way, "yield"))
    for (;;) sched_yield();
  if (!strcmp(way, "leader")) {
    pthread_t thread;
    pthread_create(&thread, 0, busy, 0);
    pthread_exit(0);
  }
  busy(0);
}
