/* A relay that nobody listed: a child in a terminal of its own, bytes to and fro, the outer terminal raw. */
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int inner;
  char bytes[4096];
  struct termios raw;
  if (argc > 1 && forkpty(&inner, NULL, NULL, NULL) == 0) {
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  tcgetattr(0, &raw);
  cfmakeraw(&raw);
  tcsetattr(0, TCSANOW, &raw);
  struct pollfd ends[] = {{0, POLLIN, 0}, {inner, POLLIN, 0}};
  while (poll(ends, 2, -1) > 0) {
    for (int at = 0; at < 2; at++) {
      if (!ends[at].revents) continue;
      ssize_t count = read(ends[at].fd, bytes, sizeof bytes);
      if (count <= 0 || write(at == 0 ? inner : 1, bytes, count) != count) exit(0);
    }
  }
}
