/* Reads stdin through an io_uring, without liburing. */
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  static char bytes[100];
  struct io_uring_params setup = {0};
  int ring = syscall(SYS_io_uring_setup, 8, &setup);
  if (ring < 0) return 1;
  const int rights = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_POPULATE;
  char *queue = mmap(0, setup.sq_off.array + setup.sq_entries * 4, rights, flags, ring, IORING_OFF_SQ_RING);
  struct io_uring_sqe *entry = mmap(0, setup.sq_entries * sizeof *entry, rights, flags, ring, IORING_OFF_SQES);
  entry->opcode = IORING_OP_READ;
  entry->fd = 0;
  entry->addr = (long)bytes;
  entry->len = sizeof bytes;
  *(unsigned *)(queue + setup.sq_off.array) = 0;
  __sync_fetch_and_add((unsigned *)(queue + setup.sq_off.tail), 1);
  return syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, 0, 0) < 0;
}
