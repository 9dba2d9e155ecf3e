/* Waits for the disk, on a FILE of its own: `fsync` of writes, `direct` reads, `mapped` pages that are dropped again. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char block[1 << 16];
static const int blocks = 2048;

int main(int count, char **words) {
  if (count < 3) return 2;
  const char *way = words[1];
  int file = open(words[2], O_RDWR | O_CREAT, 0600);
  for (int i = 0; i < blocks; i++)
    if (write(file, block, sizeof block) < 0) return 1;
  fsync(file);
  if (!strcmp(way, "fsync"))
    for (;;) {
      if (pwrite(file, block, sizeof block, 0) < 0) return 1;
      fsync(file);
    }
  if (!strcmp(way, "direct")) {
    void *page;
    int direct = open(words[2], O_RDONLY | O_DIRECT);
    if (direct < 0 || posix_memalign(&page, 4096, 4096)) return 1;
    for (;;)
      if (pread(direct, page, 4096, rand() % (blocks * 16) * 4096L) < 0) return 1;
  }
  for (;;) {
    size_t length = (size_t)blocks * sizeof block;
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    volatile char *pages = mmap(0, length, PROT_READ, MAP_SHARED, file, 0);
    madvise((void *)pages, length, MADV_RANDOM);
    char sum = 0;
    for (size_t at = 0; at < length; at += 4096) sum += pages[at];
    munmap((void *)pages, length);
  }
}
