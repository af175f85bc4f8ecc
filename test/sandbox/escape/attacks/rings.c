// File calls that io_uring makes, past whatever looks at system calls.
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "attack.h"

/** One request through a ring of its own; what the system call would have given, errors as -1 with errno. */
static int Submit(const struct io_uring_sqe* request) {
  struct io_uring_params parameters = {0};
  int ring = (int)syscall(SYS_io_uring_setup, 2, &parameters);
  if (ring < 0) return -1;
  size_t entries = parameters.sq_entries * sizeof(struct io_uring_sqe);
  size_t queues = parameters.cq_off.cqes + parameters.cq_entries * sizeof(struct io_uring_cqe);
  int both = PROT_READ | PROT_WRITE;
  uint8_t* queue = mmap(NULL, queues + 4096, both, MAP_SHARED, ring, IORING_OFF_SQ_RING);
  struct io_uring_sqe* requests = mmap(NULL, entries, both, MAP_SHARED, ring, IORING_OFF_SQES);
  if (queue == MAP_FAILED || (void*)requests == MAP_FAILED) return -1;
  requests[0] = *request;
  ((uint32_t*)(queue + parameters.sq_off.array))[0] = 0;
  __atomic_store_n((uint32_t*)(queue + parameters.sq_off.tail), 1, __ATOMIC_RELEASE);
  if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1) return -1;
  int result = ((struct io_uring_cqe*)(queue + parameters.cq_off.cqes))->res;
  close(ring);
  if (result >= 0) return result;
  errno = -result;
  return -1;
}

static uint64_t Address(const void* pointer) { return (uint64_t)(uintptr_t)pointer; }

static bool Write(void) {
  struct io_uring_sqe opening = {.opcode = IORING_OP_OPENAT, .fd = AT_FDCWD, .open_flags = O_WRONLY | O_CLOEXEC};
  const char* path = Outside("f");
  opening.addr = Address(path);
  int fd = Submit(&opening);
  if (fd < 0) return false;
  struct io_uring_sqe writing = {.opcode = IORING_OP_WRITE, .fd = fd, .addr = Address("attacked"), .len = 8};
  return Submit(&writing) == 8;
}

static bool Create(void) {
  struct io_uring_sqe opening = {.opcode = IORING_OP_OPENAT, .fd = AT_FDCWD, .len = 0600};
  opening.open_flags = O_WRONLY | O_CREAT | O_CLOEXEC;
  const char* path = Outside("made");
  opening.addr = Address(path);
  return Submit(&opening) >= 0;
}

static bool Rename(void) {
  struct io_uring_sqe request = {.opcode = IORING_OP_RENAMEAT, .fd = AT_FDCWD, .len = (uint32_t)AT_FDCWD};
  request.addr = Address(Outside("f"));
  request.addr2 = Address(Outside("renamed"));
  return Submit(&request) == 0;
}

static bool Remove(void) {
  struct io_uring_sqe request = {.opcode = IORING_OP_UNLINKAT, .fd = AT_FDCWD, .addr = Address(Outside("f"))};
  return Submit(&request) == 0;
}

static bool MakeFolder(void) {
  struct io_uring_sqe request = {.opcode = IORING_OP_MKDIRAT, .fd = AT_FDCWD, .len = 0700};
  request.addr = Address(Outside("made"));
  return Submit(&request) == 0;
}

static bool SetAttribute(void) {
  struct io_uring_sqe request = {.opcode = IORING_OP_SETXATTR, .addr = Address("user.attacked"), .len = 1};
  request.addr2 = Address("1");
  request.addr3 = Address(Outside("f"));
  return Submit(&request) == 0;
}

static bool Connect(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(strcpy(address.sun_path + 1, Target("ABSTRACT")));
  struct io_uring_sqe request = {.opcode = IORING_OP_CONNECT, .addr = Address(&address)};
  request.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  request.addr2 = offsetof(struct sockaddr_un, sun_path) + 1 + length;
  return Submit(&request) == 0;
}

const Attack kRingAttacks[] = {
    {"ring-write", Write, kAnyone, kSeenByChange, "opens and writes a file by io_uring"},
    {"ring-create", Create, kAnyone, kSeenByChange, "creates a file by io_uring"},
    {"ring-rename", Rename, kAnyone, kSeenByChange, "renames a file by io_uring"},
    {"ring-remove", Remove, kAnyone, kSeenByChange, "removes a file by io_uring"},
    {"ring-make-folder", MakeFolder, kAnyone, kSeenByChange, "makes a folder by io_uring"},
    {"ring-attribute", SetAttribute, kAnyone, kSeenByChange, "sets an extended attribute by io_uring"},
    {"ring-connect", Connect, kAnyone, kSeenByChange, "connects to an abstract socket by io_uring"},
    {0},
};
