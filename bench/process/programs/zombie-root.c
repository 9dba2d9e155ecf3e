/* A child that ended and that nobody waits for; says its pid. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (!child) _exit(0);
  printf("ready %d\n", child);
  fflush(stdout);
  return sleep(1000);
}
