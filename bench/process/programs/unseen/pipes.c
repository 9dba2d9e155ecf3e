/* Pipes, sockets and children that wait for each other, each way for good. `pipes WAY FOLDER`. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[65536];

static void fill(int fd) {
  while (write(fd, bytes, sizeof bytes) > 0)
    ;
}

/* The reader waits for the end of a pipe whose other end its brother forgot to close, and the brother waits for the reader. */
static void forgotten_end(void) {
  int there[2], back[2];
  if (pipe(there) || pipe(back)) return;
  if (fork() == 0) {
    close(there[1]), close(back[0]);
    while (read(there[0], bytes, 1) > 0)
      ;
    _exit(0);
  }
  if (fork() == 0) {
    close(there[0]), close(back[1]);
    while (read(back[0], bytes, 1) > 0)
      ;
    _exit(0);
  }
  for (int i = 0; i < 2; i++) close(there[i]), close(back[i]);
  while (wait(0) > 0)
    ;
}

/* Both talk, and neither listens. */
static void both_write(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return;
  if (fork() == 0) {
    close(ends[1]);
    fill(ends[0]);
    _exit(0);
  }
  close(ends[0]);
  fill(ends[1]);
}

static struct sockaddr_un at(const char *folder, const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%.60s/%s", folder, name);
  return address;
}

/* Datagrams to its own socket, which it does not read; its name is gone. */
static void datagrams(const char *folder) {
  struct sockaddr_un address = at(folder, "datagrams");
  int in = socket(AF_UNIX, SOCK_DGRAM, 0), out = socket(AF_UNIX, SOCK_DGRAM, 0);
  bind(in, (struct sockaddr *)&address, sizeof address);
  if (connect(out, (struct sockaddr *)&address, sizeof address)) return;
  unlink(address.sun_path);
  while (send(out, bytes, 1000, 0) > 0)
    ;
}

/* The child connects to a listener whose queue is full, and whose owner waits for the child. */
static void backlog(const char *folder) {
  struct sockaddr_un address = at(folder, "listener");
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  bind(listener, (struct sockaddr *)&address, sizeof address);
  listen(listener, 0);
  if (fork() == 0) {
    for (int i = 0; i < 3; i++) connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address);
    _exit(0);
  }
  wait(0);
}

/* Both have the FIFO open, and its name is gone: nobody else can come. */
static void fifo(const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/fifo", folder);
  mkfifo(path, 0600);
  int fd = open(path, O_RDWR);
  unlink(path);
  if (fork() == 0 && read(fd, bytes, 1)) _exit(0);
  wait(0);
}

/* vfork: the parent can't be interrupted until its child, which reads stdin, is gone. */
static void forked(void) {
  if (vfork() == 0) {
    if (read(0, bytes, 1) < 0) _exit(1);
    _exit(0);
  }
}

/* A child that stopped itself, and a parent that waits for its end. */
static void stopped_child(void) {
  if (fork() == 0) {
    raise(SIGSTOP);
    _exit(0);
  }
  wait(0);
}

/* The child splices from a pipe of which it holds the writing end itself. */
static void splices(void) {
  int from[2], to[2];
  if (pipe(from) || pipe(to)) return;
  if (fork() == 0) {
    splice(from[0], 0, to[1], 0, 4096, 0);
    _exit(0);
  }
  close(from[1]);
  wait(0);
}

int main(int count, char **words) {
  const char *way = count > 1 ? words[1] : "", *folder = count > 2 ? words[2] : ".";
  if (!strcmp(way, "forgotten-end")) forgotten_end();
  else if (!strcmp(way, "both-write")) both_write();
  else if (!strcmp(way, "datagrams")) datagrams(folder);
  else if (!strcmp(way, "backlog")) backlog(folder);
  else if (!strcmp(way, "fifo")) fifo(folder);
  else if (!strcmp(way, "vfork")) forked();
  else if (!strcmp(way, "stopped-child")) stopped_child();
  else if (!strcmp(way, "splice")) splices();
  return 0;
}
