/* COUNT quiescent processes in all, each with at most ten children. */
#include <stdlib.h>
#include <unistd.h>

static void grow(int count) {
  int children = count - 1, share = (children + 9) / 10;
  while (children > 0) {
    int some = children < share ? children : share;
    if (!fork()) grow(some);
    children -= some;
  }
  for (;;) pause();
}

int main(int count, char **words) {
  grow(count > 1 ? atoi(words[1]) : 1);
}
