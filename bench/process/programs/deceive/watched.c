/* Waits for what the kernel tells of the world, where an outsider changes it: `watched WAY FOLDER [PID]`. */
#include "deceive.h"
#include <linux/netlink.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>

static const char *folder;
static char bytes[8192];
static sem_t never;

static void nothing(int signal) { (void)signal; }

static void handle(int signal) {
  struct sigaction how = {.sa_handler = nothing};
  sigaction(signal, &how, 0);
}

/* Holds both ends of the FIFO itself, and is told by a signal that somebody wrote. */
static void fifo_signal(int number) {
  int fd = open(in(folder, "fifo"), O_RDWR | O_NONBLOCK);
  handle(number);
  fcntl(fd, F_SETOWN, getpid());
  fcntl(fd, F_SETSIG, number == SIGIO ? 0 : number);
  fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK | O_ASYNC);
  sem_wait(&never);
}

static void folder_signal(void) {
  handle(SIGRTMIN + 2);
  int fd = open(folder, O_RDONLY);
  fcntl(fd, F_SETSIG, SIGRTMIN + 2);
  if (fcntl(fd, F_NOTIFY, DN_CREATE)) failed("F_NOTIFY");
  sem_wait(&never);
}

static void lease(void) {
  int fd = open(in(folder, "leased"), O_RDONLY | O_CREAT, 0600);
  handle(SIGIO);
  if (fcntl(fd, F_SETLEASE, F_RDLCK)) failed("F_SETLEASE");
  sem_wait(&never);
  fcntl(fd, F_SETLEASE, F_UNLCK);
}

static void told_by_inotify(void) {
  int fd = inotify_init();
  inotify_add_watch(fd, folder, IN_CREATE);
  do {
    if (read(fd, bytes, sizeof bytes) < 0) failed("read");
  } while (access(in(folder, "created"), F_OK));
}

static void told_by_fanotify(void) {
  int fd = fanotify_init(FAN_CLASS_NOTIF, O_RDONLY);
  if (fanotify_mark(fd, FAN_MARK_ADD, FAN_MODIFY, AT_FDCWD, in(folder, "watched"))) failed("fanotify_mark");
  if (read(fd, bytes, sizeof bytes) < 0) failed("read");
}

static void netlink(void) {
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = 1 << 7};
  int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_USERSOCK);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) || recv(fd, bytes, 1, 0) < 0) failed("netlink");
}

/* The kernel counts this eventfd up once the group, which outsider.py made, uses more memory. */
static void group_event(void) {
  char path[512] = "", line[100];
  FILE *told = fopen(in(folder, "group"), "r");
  if (!told || !fgets(path, sizeof path, told)) failed("group");
  int event = eventfd(0, 0), usage = open(in(path, "memory.usage_in_bytes"), O_RDONLY);
  int control = open(in(path, "cgroup.event_control"), O_WRONLY);
  snprintf(line, sizeof line, "%d %d 8388608", event, usage);
  if (write(control, line, strlen(line)) < 0) failed("cgroup.event_control");
  close(usage), close(control);
  if (read(event, bytes, 8) != 8) failed("read");
}

/* A file of the kernel that becomes urgent when what it tells changes. */
static void urgent(const char *path) {
  struct pollfd one = {open(path, O_RDONLY), POLLPRI, 0};
  while (read(one.fd, bytes, sizeof bytes) > 0)
    ;
  if (poll(&one, 1, -1) < 0) failed("poll");
}

static void group_state(void) {
  char path[512] = "";
  FILE *told = fopen(in(folder, "group"), "r");
  if (!told || !fgets(path, sizeof path, told)) failed("group");
  urgent(in(path, "cgroup.events"));
}

static void kernel_log(void) {
  int fd = open("/dev/kmsg", O_RDONLY);
  lseek(fd, 0, SEEK_END);
  if (read(fd, bytes, sizeof bytes) < 0) failed("read");
}

static void process(int pid) {
  struct pollfd one = {syscall(SYS_pidfd_open, pid, 0), POLLIN, 0};
  if (poll(&one, 1, -1) != 1) failed("poll");
}

/* The other end of the terminal is an outsider's. */
static void terminal(const char *path) {
  int fd = open(path, O_RDWR | O_NOCTTY);
  if (read(fd, bytes, 1) != 1) failed("read");
}

/* Nobody has opened the FIFO for writing yet. */
static void fifo(void) {
  int fd = open(in(folder, "fifo"), O_RDONLY);
  if (read(fd, bytes, 1) != 1) failed("read");
}

static void description_lock(void) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(open(in(folder, "lock"), O_RDWR), F_SETLKW, &whole)) failed("F_SETLKW");
}

static void connection(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  snprintf(address.sun_path, sizeof address.sun_path, "%.90s/socket", folder);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) || recv(fd, bytes, 1, 0) != 1) failed("socket");
}

/* Somebody who is halted goes on for two seconds after it is let go. */
static void halted(int itself) {
  if (itself) raise(SIGSTOP);
  else sleep(3);
}

/* The child is halted, and its parent waits for it. */
static void halted_child(void) {
  if (fork() == 0) tell_pid(folder), _exit(raise(SIGSTOP));
  wait(0);
}

int main(int count, char **words) {
  const char *way = count > 1 ? words[1] : "", *third = count > 3 ? words[3] : "";
  folder = count > 2 ? words[2] : ".";
  sem_init(&never, 0, 0);
  /* Of a child that is halted the outsider wants its own. */
  if (strcmp(way, "stopped-child")) tell_pid(folder);
  if (!strcmp(way, "fifo-io")) fifo_signal(SIGIO);
  else if (!strcmp(way, "fifo-signal")) fifo_signal(SIGRTMIN + 4);
  else if (!strcmp(way, "folder-signal")) folder_signal();
  else if (!strcmp(way, "lease")) lease();
  else if (!strcmp(way, "inotify")) told_by_inotify();
  else if (!strcmp(way, "fanotify")) told_by_fanotify();
  else if (!strcmp(way, "netlink")) netlink();
  else if (!strcmp(way, "group-event")) group_event();
  else if (!strcmp(way, "group-state")) group_state();
  else if (!strcmp(way, "mounts")) urgent("/proc/self/mounts");
  else if (!strcmp(way, "kernel-log")) kernel_log();
  else if (!strcmp(way, "process")) process(atoi(third));
  else if (!strcmp(way, "terminal")) terminal(third);
  else if (!strcmp(way, "fifo")) fifo();
  else if (!strcmp(way, "description-lock")) description_lock();
  else if (!strcmp(way, "connection")) connection();
  else if (!strcmp(way, "stopped")) halted(1);
  else if (!strcmp(way, "halted")) halted(0);
  else if (!strcmp(way, "stopped-child")) halted_child();
  else return 1;
  return went_on();
}
