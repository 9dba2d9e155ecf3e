/* Waits that a timer ends which neither the call nor the descriptors show. `clocks WAY FOLDER`; none needs anybody else. */
#include "deceive.h"
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <termios.h>

static const char *folder;
static sem_t never;
static char bytes[65536];
static const struct itimerspec once = {.it_value = {seconds, 0}};

static void nothing(int signal) { (void)signal; }

static void handle(int signal) {
  struct sigaction how = {.sa_handler = nothing};
  sigaction(signal, &how, 0);
}

static int timer_descriptor(void) {
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  timerfd_settime(fd, 0, &once, 0);
  return fd;
}

static void own_pipe(void) {
  int ends[2];
  if (!pipe(ends) && read(ends[0], bytes, 1)) return;
}

static void lock_twice(void) {
  flock(open(in(folder, "lock"), O_RDWR | O_CREAT, 0600), LOCK_EX);
  flock(open(in(folder, "lock"), O_RDWR), LOCK_EX);
}

static void timer(struct sigevent *event) {
  timer_t one;
  timer_create(CLOCK_MONOTONIC, event, &one);
  timer_settime(one, 0, &once, 0);
}

/* A timer of a signal: with a handler, or deadly to the process, whose parent goes on. */
static void signal_timer(int handled) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3};
  if (handled) handle(SIGRTMIN + 3);
  timer(&event);
  if (handled) sem_wait(&never);
  else own_pipe();
}

static void post(union sigval of) { sem_post(of.sival_ptr); }

static void thread_timer(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = post, .sigev_value.sival_ptr = &never};
  timer(&event);
  sem_wait(&never);
}

static void waited_for(void) {
  sigset_t alarms;
  int which;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarms, 0);
  alarm(seconds);
  sigwait(&alarms, &which);
}

static void nested_epoll(void) {
  int outer = epoll_create1(0), inner = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(inner, EPOLL_CTL_ADD, timer_descriptor(), &event);
  epoll_ctl(outer, EPOLL_CTL_ADD, inner, &event);
  epoll_wait(outer, &event, 1, -1);
}

/* The timer is in an epoll and on its way through a socket; its descriptor is closed. */
static void timer_in_flight(void) {
  int set = epoll_create1(0), fd = timer_descriptor(), ends[2];
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(set, EPOLL_CTL_ADD, fd, &event);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return;
  give(ends[0], fd);
  close(fd);
  epoll_wait(set, &event, 1, -1);
}

static int empty[2];

/* A thread with a file table of its own, where the number of the process' empty pipe is a timer. */
static void *own_table(void *unused) {
  unshare(CLONE_FILES);
  dup2(timer_descriptor(), empty[0]);
  if (read(empty[0], bytes, 8) == 8) sem_post(&never);
  return unused;
}

static void unshared(void) {
  pthread_t thread;
  if (pipe(empty)) return;
  pthread_create(&thread, 0, own_table, 0);
  sem_wait(&never);
}

/* What an aio context polls stays alive without a descriptor. */
static void aio(int through_event) {
  aio_context_t context = 0;
  int fd = timer_descriptor(), event = eventfd(0, 0);
  struct iocb one = {.aio_lio_opcode = IOCB_CMD_POLL, .aio_fildes = fd, .aio_buf = 1 /* POLLIN */};
  struct iocb *list = &one;
  struct io_event done;
  if (through_event) one.aio_flags = IOCB_FLAG_RESFD, one.aio_resfd = event;
  if (syscall(SYS_io_setup, 4, &context) || syscall(SYS_io_submit, context, 1, &list) != 1) failed("aio");
  close(fd);
  if (through_event && read(event, bytes, 8) != 8) failed("read");
  if (!through_event) syscall(SYS_io_getevents, context, 1, 1, &done, 0);
}

static void socket_limit(void) {
  struct timeval limit = {seconds, 0};
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return;
  setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  recv(ends[0], bytes, 1, 0);
}

/* Writes to a full socket whose other end it holds itself. */
static void send_limit(void) {
  struct timeval limit = {seconds, 0};
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return;
  setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  while (send(ends[0], bytes, 1000, 0) > 0)
    ;
}

static void connect_limit(void) {
  struct timeval limit = {seconds, 0};
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  snprintf(address.sun_path, sizeof address.sun_path, "%.90s/full", folder);
  bind(listener, (struct sockaddr *)&address, sizeof address);
  listen(listener, 0);
  for (int failures = 0; !failures;) {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    failures = connect(fd, (struct sockaddr *)&address, sizeof address) != 0;
  }
}

/* close() of a connection to itself that lingers, as nobody takes what was sent. */
static void lingers(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct linger how = {1, seconds};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0), out = socket(AF_INET, SOCK_STREAM, 0);
  bind(listener, (struct sockaddr *)&address, sizeof address);
  listen(listener, 1);
  getsockname(listener, (struct sockaddr *)&address, &size);
  connect(out, (struct sockaddr *)&address, sizeof address);
  while (send(out, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
    ;
  setsockopt(out, SOL_SOCKET, SO_LINGER, &how, sizeof how);
  close(out);
}

/* A terminal of its own whose reads end after 25.5 s without a byte. */
static void terminal_limit(void) {
  int holder, fd;
  struct termios how;
  if (openpty(&holder, &fd, 0, 0, 0)) failed("openpty");
  tcgetattr(fd, &how);
  cfmakeraw(&how);
  how.c_cc[VMIN] = 0;
  how.c_cc[VTIME] = 255;
  tcsetattr(fd, TCSANOW, &how);
  if (read(fd, bytes, 1) > 0) failed("a byte");
}

static void wait_for_several(void) {
  static uint32_t words[2];
  struct { uint64_t value, address; uint32_t flags, reserved; } waits[2] = {
    {0, (uintptr_t)words, 2 | FUTEX_PRIVATE_FLAG, 0}, {0, (uintptr_t)(words + 1), 2 | FUTEX_PRIVATE_FLAG, 0}};
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += seconds;
  if (syscall(449 /* futex_waitv */, waits, 2, 0, &until, CLOCK_MONOTONIC) == 0 || errno != ETIMEDOUT) failed("futex_waitv");
}

/* Another process has the lease and never looks; after /proc/sys/fs/lease-break-time the kernel takes it. */
static void lease(void) {
  const char *path = in(folder, "leased");
  int fd = open(path, O_RDWR | O_CREAT, 0600), ends[2];
  close(fd);
  if (pipe(ends)) return;
  int child = fork();
  if (child == 0) {
    signal(SIGIO, SIG_IGN);
    if (fcntl(open(path, O_RDONLY), F_SETLEASE, F_RDLCK)) failed("lease");
    if (read(ends[0], bytes, 1)) _exit(0);
  }
  usleep(300000);
  if (open(path, O_WRONLY) < 0) failed("open");
  kill(child, SIGKILL);
}

int main(int count, char **words) {
  const char *way = count > 1 ? words[1] : "";
  folder = count > 2 ? words[2] : ".";
  sem_init(&never, 0, 0);
  /* These three die of it: their parent goes on. */
  if (!strcmp(way, "alarm-exec")) alarm(seconds), execlp("cat", "cat", NULL);
  else if (!strcmp(way, "alarm-lock")) alarm(seconds), lock_twice();
  else if (!strcmp(way, "signal-timer-fatal")) signal_timer(0);
  else if (!strcmp(way, "itimer-handled")) handle(SIGALRM), alarm(seconds), sem_wait(&never);
  else if (!strcmp(way, "alarm-sigwait")) waited_for();
  else if (!strcmp(way, "signal-timer")) signal_timer(1);
  else if (!strcmp(way, "thread-timer")) thread_timer();
  else if (!strcmp(way, "nested-epoll")) nested_epoll();
  else if (!strcmp(way, "timer-in-flight")) timer_in_flight();
  else if (!strcmp(way, "unshared")) unshared();
  else if (!strcmp(way, "aio-event")) aio(1);
  else if (!strcmp(way, "aio-getevents")) aio(0);
  else if (!strcmp(way, "receive-limit")) socket_limit();
  else if (!strcmp(way, "send-limit")) send_limit();
  else if (!strcmp(way, "connect-limit")) connect_limit();
  else if (!strcmp(way, "linger")) lingers();
  else if (!strcmp(way, "terminal-limit")) terminal_limit();
  else if (!strcmp(way, "futex-waitv")) wait_for_several();
  else if (!strcmp(way, "lease")) lease();
  else return 1;
  return went_on();
}
