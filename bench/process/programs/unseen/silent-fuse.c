/* A file system whose server never answers: `silent-fuse FOLDER`. It is run in mounts of its own, so that nothing is left. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **words) {
  char options[100];
  if (count < 2) return 1;
  int fd = open("/dev/fuse", O_RDWR);
  mkdir(words[1], 0755);
  snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
  if (fd < 0 || mount("silent", words[1], "fuse.silent", 0, options)) return perror("silent-fuse"), 1;
  printf("ready %d\n", getpid());
  fflush(stdout);
  sleep(1000);
  return 0;
}
