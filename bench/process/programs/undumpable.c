/* Reads stdin and may not be looked at: only a privileged observer can. */
#include <sys/prctl.h>
#include <unistd.h>

int main(void) {
  char byte;
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  return read(0, &byte, 1) < 0;
}
