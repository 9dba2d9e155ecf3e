/* Parents and children: a `vfork` parent of a sleeper, a `zombie` beside a sleeper, a `socket` whose other end sleeps. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int count, char **words) {
  char byte;
  const char *way = count > 1 ? words[1] : "vfork";
  if (!strcmp(way, "vfork")) {
    if (!vfork()) {
      sleep(1000);
      _exit(0);
    }
    return 0;
  }
  if (!strcmp(way, "zombie")) {
    if (!fork()) _exit(0);
    return sleep(1000);
  }
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
  if (!fork()) {
    close(ends[0]);
    return sleep(1000);
  }
  close(ends[1]);
  return read(ends[0], &byte, 1) < 0;
}
