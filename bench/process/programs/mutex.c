/* Mutexes: `abba` two threads each want the other's, `abba-sleeper` a third one sleeps, `relock` wants its own again. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *forwards(void *unused) {
  pthread_mutex_lock(&first);
  usleep(50000);
  pthread_mutex_lock(&second);
  return unused;
}

static void *backwards(void *unused) {
  pthread_mutex_lock(&second);
  usleep(50000);
  pthread_mutex_lock(&first);
  return unused;
}

static void *sleeper(void *unused) {
  sleep(1000);
  return unused;
}

int main(int count, char **words) {
  pthread_t a, b, c;
  if (count > 1 && !strcmp(words[1], "relock")) {
    pthread_mutex_lock(&first);
    return pthread_mutex_lock(&first);
  }
  if (count > 1 && !strcmp(words[1], "abba-sleeper")) pthread_create(&c, 0, sleeper, 0);
  pthread_create(&a, 0, forwards, 0);
  pthread_create(&b, 0, backwards, 0);
  return pthread_join(a, 0);
}
