/* Waits that an outsider ends who got, or will get, what is waited on: `handed WAY FOLDER`. outsider.py listens in FOLDER. */
#include "deceive.h"
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <linux/userfaultfd.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>

static const char *folder;
static char bytes[8192];

static int outsider(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  snprintf(address.sun_path, sizeof address.sun_path, "%.90s/socket", folder);
  if (connect(fd, (struct sockaddr *)&address, sizeof address)) failed("connect");
  return fd;
}

static void futex_wait(uint32_t *word, int operation) {
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == 0) syscall(SYS_futex, word, operation, 0, 0, 0, 0);
}

/* Hands over the writing end and closes its own. */
static void pipe_end(void) {
  int ends[2], to = outsider();
  if (pipe(ends)) return;
  give(to, ends[1]);
  close(ends[1]);
  if (read(ends[0], bytes, 1) != 1) failed("read");
}

static void event(void) {
  int fd = eventfd(0, 0);
  give(outsider(), fd);
  if (read(fd, bytes, 8) != 8) failed("read");
}

/* Has the lock itself, by a description that the outsider has too, and waits for it by another. */
static void lock(void) {
  int one = open(in(folder, "lock"), O_RDWR | O_CREAT, 0600), other = open(in(folder, "lock"), O_RDWR);
  flock(one, LOCK_EX);
  give(outsider(), one);
  if (flock(other, LOCK_EX)) failed("flock");
}

static void memory(void) {
  int fd = memfd_create("shared", 0);
  if (ftruncate(fd, 4096)) return;
  uint32_t *word = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  give(outsider(), fd);
  close(fd);
  futex_wait(word, FUTEX_WAIT);
}

static void page_fault(void) {
  struct uffdio_api api = {.api = UFFD_API};
  int fd = syscall(SYS_userfaultfd, O_CLOEXEC);
  char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct uffdio_register all = {.range = {(uintptr_t)page, 4096}, .mode = UFFDIO_REGISTER_MODE_MISSING};
  if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &all)) failed("userfaultfd");
  int to = outsider();
  if (write(to, &page, sizeof page) < 0) failed("write");
  give(to, fd);
  close(fd);
  *page = 1;
}

static void system_call(void) {
  struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                               BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
                               BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {4, code};
  int to = outsider();
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  int fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
  if (fd < 0) failed("seccomp");
  give(to, fd);
  close(fd);
  syscall(SYS_getppid);
}

/* A mutex of a file that the outsider holds and dies with: it is robust. */
static void robust(void) {
  pthread_mutex_t *one = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, open(in(folder, "shared"), O_RDWR), 0);
  if (one == MAP_FAILED || pthread_mutex_lock(one) != EOWNERDEAD) failed("robust");
}

/* A word of a file that an outsider maps only when he wakes its sleeper. */
static void shared_word(void) {
  int fd = open(in(folder, "shared"), O_RDWR | O_CREAT, 0600);
  if (ftruncate(fd, 4096)) return;
  uint32_t *word = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  futex_wait(word, FUTEX_WAIT);
}

static const char *own_name(void) {
  static char name[64];
  snprintf(name, sizeof name, "/lull-bench-%d", getpid());
  return name;
}

static void named_semaphore(void) {
  sem_t *one = sem_open(own_name(), O_CREAT, 0600, 0);
  sem_wait(one);
  sem_unlink(own_name());
}

static void told(union sigval of) { sem_post(of.sival_ptr); }

/* The queue tells of a message by a thread, or by a signal; or it is read. */
static void queue(const char *way) {
  static sem_t never;
  struct mq_attr small = {.mq_maxmsg = 2, .mq_msgsize = 8};
  mqd_t one = mq_open(own_name(), O_RDWR | O_CREAT, 0600, &small);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = told, .sigev_value.sival_ptr = &never};
  sem_init(&never, 0, 0);
  if (!strcmp(way, "queue-signal")) {
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGRTMIN + 1);
    sigprocmask(SIG_BLOCK, &usual, 0);
    event.sigev_notify = SIGEV_SIGNAL, event.sigev_signo = SIGRTMIN + 1;
    mq_notify(one, &event);
    sigwaitinfo(&usual, 0);
  } else if (!strcmp(way, "queue-thread")) {
    mq_notify(one, &event);
    sem_wait(&never);
  } else if (mq_receive(one, bytes, 8, 0) < 0) {
    failed("mq_receive");
  }
  mq_unlink(own_name());
}

/* Its key is its pid, by which the outsider finds it. */
static void system_v(const char *way) {
  if (!strcmp(way, "sysv-queue")) {
    int id = msgget(getpid(), IPC_CREAT | 0600);
    if (msgrcv(id, bytes, 8, 0, 0) < 0) failed("msgrcv");
    msgctl(id, IPC_RMID, 0);
  } else {
    struct sembuf down = {0, -1, 0};
    int id = semget(getpid(), 1, IPC_CREAT | 0600);
    if (semop(id, &down, 1)) failed("semop");
    semctl(id, 0, IPC_RMID);
  }
}

/* Datagrams to an abstract name, which is nowhere in the file system. */
static void abstract(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_DGRAM, 0), length = snprintf(address.sun_path + 1, 60, "lull-bench-%d", getpid());
  bind(fd, (struct sockaddr *)&address, sizeof address.sun_family + 1 + length);
  if (recv(fd, bytes, 1, 0) < 0) failed("recv");
}

/* A word of its own memory, with nobody else in sight; `traced` has a tracer from the start on. */
static void private_word(void) {
  static uint32_t word;
  FILE *where = fopen(in(folder, "word"), "w");
  fprintf(where, "%lu\n", (unsigned long)&word);
  fclose(where);
  tell_pid(folder);
  futex_wait(&word, FUTEX_WAIT_PRIVATE);
}

static void memory_nobody_got(void) {
  int fd = memfd_create("shared", 0);
  if (ftruncate(fd, 4096)) return;
  futex_wait(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), FUTEX_WAIT);
}

int main(int count, char **words) {
  const char *way = count > 1 ? words[1] : "";
  folder = count > 2 ? words[2] : ".";
  tell_pid(folder);
  if (!strcmp(way, "pipe-in-flight") || !strcmp(way, "pipe-handed")) pipe_end();
  else if (!strcmp(way, "event-in-flight") || !strcmp(way, "event-handed")) event();
  else if (!strcmp(way, "lock-handed")) lock();
  else if (!strcmp(way, "memory-handed")) memory();
  else if (!strcmp(way, "page-fault")) page_fault();
  else if (!strcmp(way, "system-call")) system_call();
  else if (!strcmp(way, "robust")) robust();
  else if (!strcmp(way, "shared-word")) shared_word();
  else if (!strcmp(way, "named-semaphore")) named_semaphore();
  else if (!strncmp(way, "queue", 5)) queue(way);
  else if (!strncmp(way, "sysv", 4)) system_v(way);
  else if (!strcmp(way, "abstract")) abstract();
  else if (!strcmp(way, "word")) private_word();
  else if (!strcmp(way, "memory-nobody-got")) memory_nobody_got();
  else return 1;
  return went_on();
}
