/* Waits that look closed, and that something wakes of which no file of the process tells. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <linux/userfaultfd.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char buffer[8];
static int word;

static void on_event(int number) { (void)number; }

static void *own_files(void *_) {
  int ends[2];
  (void)_;
  unshare(CLONE_FILES);
  close(0);
  if (pipe(ends)) return NULL;
  if (read(ends[0], buffer, 1)) return NULL;
  return NULL;
}

static int wait_on_word(void *_) {
  (void)_;
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  return 0;
}

static void *touch(void *page) { return (void *)(long)*(volatile char *)page; }

/* A descriptor on its way through a socket of its own. */
static void send_end(int socket, int end) {
  char room[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec text = {.iov_base = "x", .iov_len = 1};
  struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(head), &end, sizeof(int));
  sendmsg(socket, &message, 0);
}

int main(int count, char **words) {
  const char *mode = words[1];
  int ends[2], pair[2];
  (void)count;
  if (!strcmp(mode, "alarm")) {
    alarm(atoi(words[2]));
    execlp("cat", "cat", NULL);
  }
  if (!strcmp(mode, "alarm-child")) {
    if (fork() == 0) {
      alarm(atoi(words[2]));
      execlp("cat", "cat", NULL);
    }
    wait(NULL);
  }
  if (!strcmp(mode, "ignored-alarm")) {
    signal(SIGALRM, SIG_IGN);
    execlp("cat", "cat", NULL);
  }
  if (!strcmp(mode, "signal")) {
    signal(atoi(words[2]), on_event);
    if (words[3]) pipe(ends);
    if (read(words[3] ? ends[0] : 0, buffer, 1)) return 0;
  }
  if (!strcmp(mode, "signal-file")) {
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    struct signalfd_siginfo told;
    if (read(signalfd(-1, &ends, 0), &told, sizeof told)) return 0;
  }
  if (!strcmp(mode, "queue")) {
    struct mq_attr size = {.mq_maxmsg = 1, .mq_msgsize = 8};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGTERM};
    char name[32];
    sprintf(name, "/lull-%d", getpid());
    mqd_t queue = mq_open(name, O_RDONLY | O_CREAT, 0600, &size);
    mq_unlink(name);
    mq_notify(queue, &event);
    if (read(0, buffer, 1)) return 0;
  }
  if (!strcmp(mode, "trace")) {
    ptrace(PTRACE_SEIZE, atoi(words[2]), 0, 0);
    puts("ready");
    fflush(stdout);
    pause();
  }
  if (!strcmp(mode, "seccomp")) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_dup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = 4, .filter = rules};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    syscall(SYS_dup, 0);
  }
  if (!strcmp(mode, "files")) {
    pthread_t thread;
    pthread_create(&thread, NULL, own_files, NULL);
    pthread_join(thread, NULL);
  }
  if (!strcmp(mode, "aio")) {
    aio_context_t context = 0;
    struct iocb ask = {.aio_lio_opcode = IOCB_CMD_POLL, .aio_flags = IOCB_FLAG_RESFD}, *asks[] = {&ask};
    int counter = eventfd(0, 0);
    if (pipe(ends)) return 1;
    syscall(SYS_io_setup, 1, &context);
    ask.aio_fildes = ends[0];
    ask.aio_buf = 1;
    ask.aio_resfd = counter;
    syscall(SYS_io_submit, context, 1, asks);
    if (read(counter, buffer, 8)) return 0;
  }
  if (!strcmp(mode, "group")) {
    char line[64];
    int counter = eventfd(0, 0);
    int usage = open("/sys/fs/cgroup/memory/memory.usage_in_bytes", O_RDONLY);
    int control = open("/sys/fs/cgroup/memory/cgroup.event_control", O_WRONLY);
    sprintf(line, "%d %d 99999999999", counter, usage);
    if (write(control, line, strlen(line)) < 0) return 1;
    close(usage);
    close(control);
    if (read(counter, buffer, 8)) return 0;
  }
  if (!strcmp(mode, "flight")) {
    if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 1;
    send_end(pair[0], ends[1]);
    if (read(ends[0], buffer, 1)) return 0;
  }
  // The child waits on what its parent may set, or add to.
  if (!strcmp(mode, "timer-of-parent")) {
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    if (fork()) return read(0, buffer, 1);
    close(0);
    if (read(timer, buffer, 8)) return 0;
  }
  if (!strcmp(mode, "epoll-of-parent")) {
    struct epoll_event event;
    int set = epoll_create1(0);
    if (fork()) return read(0, buffer, 1);
    close(0);
    if (epoll_wait(set, &event, 1, -1)) return 0;
  }
  // Nobody else has them.
  if (!strcmp(mode, "own-timer")) {
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    if (read(timer, buffer, 8)) return 0;
  }
  if (!strcmp(mode, "own-epoll")) {
    struct epoll_event event;
    int set = epoll_create1(0);
    if (epoll_wait(set, &event, 1, -1)) return 0;
  }
  if (!strcmp(mode, "memory")) {
    char *stack = malloc(65536);
    clone(wait_on_word, stack + 65536, CLONE_VM | SIGCHLD, NULL);
    wait(NULL);
  }
  if (!strcmp(mode, "fault")) {
    struct uffdio_api api = {.api = UFFD_API};
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int faults = syscall(SYS_userfaultfd, O_CLOEXEC);
    struct uffdio_register range = {.range = {.start = (long)page, .len = 4096}, .mode = UFFDIO_REGISTER_MODE_MISSING};
    pthread_t thread;
    ioctl(faults, UFFDIO_API, &api);
    ioctl(faults, UFFDIO_REGISTER, &range);
    pthread_create(&thread, NULL, touch, page);
    pthread_join(thread, NULL);
  }
  return 1;
}
