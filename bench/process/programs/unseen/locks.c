/* Locks, semaphores and queues, each way waiting for good; those with `-timed` for ten minutes. `locks WAY FOLDER`. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *folder;
static sem_t never;

static int file(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return open(path, O_RDWR | O_CREAT, 0600);
}

static int lock(int fd, int command) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(fd, command, &whole);
}

static pthread_mutex_t *shared_mutexes(int protocol) {
  pthread_mutex_t *both = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t how;
  pthread_mutexattr_init(&how);
  pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setprotocol(&how, protocol);
  pthread_mutex_init(both, &how);
  pthread_mutex_init(both + 1, &how);
  return both;
}

static struct timespec in_ten_minutes(void) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  at.tv_sec += 600;
  return at;
}

/* The same file locked twice by one process, through two descriptions. */
static void by_itself(const char *way) {
  int one = file("lock"), other = file("lock");
  if (!strcmp(way, "ofd-self")) lock(one, F_OFD_SETLK), lock(other, F_OFD_SETLKW);
  else flock(one, LOCK_EX), flock(other, LOCK_EX);
}

/* The kernel tells no ring of locks of descriptions. */
static void ofd_ring(void) {
  int child = fork();
  int mine = file(child ? "a" : "b"), other = file(child ? "b" : "a");
  lock(mine, F_OFD_SETLK);
  usleep(200000);
  lock(other, F_OFD_SETLKW);
}

/* The child has the lock and reads a pipe that only its parent could write, and the parent waits for the lock. */
static void fcntl_and_pipe(void) {
  int ends[2], fd = file("lock");
  char byte;
  if (pipe(ends)) return;
  if (fork() == 0) {
    close(ends[1]);
    lock(fd, F_SETLK);
    if (read(ends[0], &byte, 1)) _exit(1);
  }
  close(ends[0]);
  usleep(200000);
  lock(fd, F_SETLKW);
}

static void shared_child(void) {
  pthread_mutex_t *one = shared_mutexes(PTHREAD_PRIO_NONE);
  pthread_mutex_lock(one);
  if (fork() == 0) pthread_mutex_lock(one);
  wait(0);
}

static void shared_ring(void) {
  pthread_mutex_t *both = shared_mutexes(PTHREAD_PRIO_NONE);
  int child = fork() == 0;
  pthread_mutex_lock(both + child);
  usleep(200000);
  pthread_mutex_lock(both + !child);
}

static void dead_owner(void) {
  pthread_mutex_t *one = shared_mutexes(PTHREAD_PRIO_NONE);
  if (fork() == 0) {
    pthread_mutex_lock(one);
    _exit(0);
  }
  wait(0);
  pthread_mutex_lock(one);
}

static void *hold_for_ever(void *mutex) {
  pthread_mutex_lock(mutex);
  sem_wait(&never);
  return 0;
}

static void *hold_asleep(void *mutex) {
  pthread_mutex_lock(mutex);
  sleep(1000);
  pthread_mutex_unlock(mutex);
  return 0;
}

/* Another thread has the mutex, and waits for a semaphore that nobody posts, or sleeps. */
static void owned(int protocol, void *(*holds)(void *)) {
  pthread_t thread;
  pthread_mutex_t *one = shared_mutexes(protocol);
  pthread_create(&thread, 0, holds, one);
  usleep(200000);
  pthread_mutex_lock(one);
}

static void rwlock_self(void) {
  pthread_rwlock_t one = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_rdlock(&one);
  pthread_rwlock_wrlock(&one);
}

static void barrier(void) {
  pthread_barrier_t three;
  pthread_t thread;
  pthread_barrier_init(&three, 0, 3);
  pthread_create(&thread, 0, (void *(*)(void *))pthread_barrier_wait, &three);
  pthread_barrier_wait(&three);
}

static void *joined(void *unused) {
  sem_wait(&never);
  return unused;
}

static void join(void) {
  pthread_t thread;
  pthread_create(&thread, 0, joined, 0);
  pthread_join(thread, 0);
}

/* Both processes have it open, and its name is gone before they wait. */
static void named_semaphore(void) {
  char name[64];
  snprintf(name, sizeof name, "/lull-bench-%d", getpid());
  sem_t *one = sem_open(name, O_CREAT, 0600, 0);
  sem_unlink(name);
  if (fork()) wait(0);
  else sem_wait(one);
}

static void queue(int timed) {
  char name[64], bytes[64];
  struct timespec until = in_ten_minutes();
  struct mq_attr small = {.mq_maxmsg = 2, .mq_msgsize = sizeof bytes};
  snprintf(name, sizeof name, "/lull-bench-%d", getpid());
  mqd_t one = mq_open(name, O_RDWR | O_CREAT, 0600, &small);
  mq_unlink(name);
  if (timed) mq_timedreceive(one, bytes, sizeof bytes, 0, &until);
  else mq_receive(one, bytes, sizeof bytes, 0);
}

static void timed(const char *way) {
  struct timespec until = in_ten_minutes();
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  if (!strcmp(way, "sem-timed")) sem_timedwait(&never, &until);
  else if (!strcmp(way, "cond-timed")) pthread_mutex_lock(&mutex), pthread_cond_timedwait(&condition, &mutex, &until);
  else if (!strcmp(way, "rwlock-timed")) {
    pthread_rwlock_t one = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&one);
    pthread_rwlock_timedwrlock(&one, &until);
  }
}

int main(int count, char **words) {
  const char *way = count > 1 ? words[1] : "";
  folder = count > 2 ? words[2] : ".";
  sem_init(&never, 0, 0);
  if (!strcmp(way, "ofd-self") || !strcmp(way, "flock-self")) by_itself(way);
  else if (!strcmp(way, "ofd-ring")) ofd_ring();
  else if (!strcmp(way, "fcntl-pipe")) fcntl_and_pipe();
  else if (!strcmp(way, "shared-child")) shared_child();
  else if (!strcmp(way, "shared-ring")) shared_ring();
  else if (!strcmp(way, "dead-owner")) dead_owner();
  else if (!strcmp(way, "owner-waits")) owned(PTHREAD_PRIO_NONE, hold_for_ever);
  else if (!strcmp(way, "owner-waits-pi")) owned(PTHREAD_PRIO_INHERIT, hold_for_ever);
  else if (!strcmp(way, "owner-sleeps")) owned(PTHREAD_PRIO_NONE, hold_asleep);
  else if (!strcmp(way, "owner-sleeps-pi")) owned(PTHREAD_PRIO_INHERIT, hold_asleep);
  else if (!strcmp(way, "rwlock-self")) rwlock_self();
  else if (!strcmp(way, "barrier")) barrier();
  else if (!strcmp(way, "join")) join();
  else if (!strcmp(way, "named-sem")) named_semaphore();
  else if (!strcmp(way, "queue")) queue(0);
  else if (!strcmp(way, "queue-timed")) queue(1);
  else timed(way);
  return 0;
}
