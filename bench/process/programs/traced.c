/* A child that a debugger has stopped; says its pid. */
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (!child) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    _exit(0);
  }
  waitpid(child, 0, WUNTRACED);
  printf("ready %d\n", child);
  fflush(stdout);
  return sleep(1000);
}
