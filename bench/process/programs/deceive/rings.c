/* io_uring keeps what it waits for without a descriptor: `rings WAY FOLDER`. */
#include "deceive.h"
#include <linux/io_uring.h>
#include <linux/time_types.h>
#include <sys/eventfd.h>

static int ring;
static struct __kernel_timespec limit = {seconds, 0};

static void submit(struct io_uring_sqe entry) {
  struct io_uring_params how = {0};
  ring = syscall(SYS_io_uring_setup, 4, &how);
  if (ring < 0) failed("io_uring_setup");
  char *queue = mmap(0, how.sq_off.array + 4 * how.sq_entries, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
  struct io_uring_sqe *entries = mmap(0, how.sq_entries * sizeof *entries, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
  entries[0] = entry;
  ((unsigned *)(queue + how.sq_off.array))[0] = 0;
  __atomic_store_n((unsigned *)(queue + how.sq_off.tail), 1, __ATOMIC_RELEASE);
}

int main(int count, char **words) {
  const char *way = count > 1 ? words[1] : "", *folder = count > 2 ? words[2] : ".";
  uint64_t number;
  tell_pid(folder);
  struct io_uring_sqe timeout = {.opcode = IORING_OP_TIMEOUT, .fd = -1, .addr = (uintptr_t)&limit, .len = 1};
  if (!strcmp(way, "timeout")) {
    submit(timeout);
    syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, 0, 0);
  } else if (!strcmp(way, "argument")) {
    /* A read of its own empty eventfd, with a limit in the argument of the call. */
    struct io_uring_sqe read = {.opcode = IORING_OP_POLL_ADD, .fd = eventfd(0, 0), .poll32_events = 1};
    struct io_uring_getevents_arg until = {.ts = (uintptr_t)&limit};
    submit(read);
    syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &until, sizeof until);
  } else if (!strcmp(way, "event")) {
    int event = eventfd(0, 0);
    submit(timeout);
    if (syscall(SYS_io_uring_register, ring, IORING_REGISTER_EVENTFD, &event, 1)) failed("register");
    syscall(SYS_io_uring_enter, ring, 1, 0, 0, 0, 0);
    if (read(event, &number, 8) != 8) failed("read");
  } else if (!strcmp(way, "poll")) {
    /* Polls a FIFO whose descriptor is closed: an outsider writes to it later. The eventfd tells of it. */
    int event = eventfd(0, 0), fifo = open(in(folder, "fifo"), O_RDWR | O_NONBLOCK);
    submit((struct io_uring_sqe){.opcode = IORING_OP_POLL_ADD, .fd = fifo, .poll32_events = 1});
    if (syscall(SYS_io_uring_register, ring, IORING_REGISTER_EVENTFD, &event, 1)) failed("register");
    syscall(SYS_io_uring_enter, ring, 1, 0, 0, 0, 0);
    close(fifo);
    if (read(event, &number, 8) != 8) failed("read");
  } else {
    return 1;
  }
  return went_on();
}
