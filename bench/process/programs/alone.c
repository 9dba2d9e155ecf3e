/* Waits that nobody else knows of: `sem`, `eventfd`, `pipe` (its own), `cond`; `pause` and `queue` may be woken by anyone. */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/msg.h>
#include <unistd.h>

int main(int count, char **words) {
  char bytes[100];
  const char *way = count > 1 ? words[1] : "sem";
  if (!strcmp(way, "sem")) {
    sem_t never;
    sem_init(&never, 0, 0);
    return sem_wait(&never);
  }
  if (!strcmp(way, "cond")) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    return pthread_cond_wait(&never, &mutex);
  }
  if (!strcmp(way, "eventfd")) return read(eventfd(0, 0), bytes, 8) < 0;
  if (!strcmp(way, "pipe")) {
    int ends[2];
    if (pipe(ends)) return 1;
    return read(ends[0], bytes, 1) < 0;
  }
  if (!strcmp(way, "queue")) return msgrcv(msgget(IPC_PRIVATE, 0600), bytes, sizeof bytes - sizeof(long), 0, 0) < 0;
  return pause();
}
