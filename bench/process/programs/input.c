/* Waits for standard input: read, select, poll or epoll. */
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

int main(int count, char **words) {
  char byte;
  const char *way = count > 1 ? words[1] : "read";
  if (!strcmp(way, "select")) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(0, &set);
    select(1, &set, 0, 0, 0);
  } else if (!strcmp(way, "poll")) {
    struct pollfd one = {0, POLLIN, 0};
    poll(&one, 1, -1);
  } else if (!strcmp(way, "epoll")) {
    int set = epoll_create1(0);
    struct epoll_event event = {EPOLLIN};
    epoll_ctl(set, EPOLL_CTL_ADD, 0, &event);
    epoll_wait(set, &event, 1, -1);
  }
  return read(0, &byte, 1) < 0;
}
