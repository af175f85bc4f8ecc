#include "support/faults.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>
#include <thread>

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

// A child in front of its execve comes through here as well, in the memory of its parent.
#define QUIESCE_PLAIN __attribute__((no_sanitize("address", "thread", "undefined")))

using ThreadState = std::unique_ptr<std::thread::_State>;

// NOLINTBEGIN(bugprone-reserved-identifier,google-runtime-int,readability-identifier-naming): the linker's names
extern "C" {
int __real_clone(int (*entry)(void*), void* stack, int flags, void* argument, ...);
int __real_close(int fd);
int __real_epoll_create1(int flags);
int __real_epoll_ctl(int epoll, int operation, int fd, epoll_event* event);
int __real_epoll_wait(int epoll, epoll_event* events, int size, int timeout);
int __real_eventfd(unsigned value, int flags);
int __real_fcntl(int fd, int command, ...);
DIR* __real_fdopendir(int fd);
int __real_fstat(int fd, struct stat* status);
int __real_kill(pid_t pid, int number);
off_t __real_lseek(int fd, off_t offset, int whence);
int __real_memfd_create(const char* name, unsigned flags);
int __real_mkdir(const char* path, mode_t mode);
int __real_mkdirat(int folder, const char* path, mode_t mode);
void* __real_mmap(void* address, size_t size, int protection, int flags, int fd, off_t offset);
int __real_mprotect(void* address, size_t size, int protection);
int __real_openat(int folder, const char* path, int flags, ...);
int __real_pipe2(int* ends, int flags);
ssize_t __real_pread(int fd, void* buffer, size_t size, off_t offset);
long __real_quiesce_clone3(clone_args* args, size_t size, void (*entry)(void*), void* argument);
ssize_t __real_read(int fd, void* buffer, size_t size);
int __real_rmdir(const char* path);
long __real_syscall(long number, ...);
int __real_unlink(const char* path);
int __real_unlinkat(int folder, const char* path, int flags);
ssize_t __real_write(int fd, const void* buffer, size_t size);
void __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(std::thread* self,
                                                                                                  ThreadState state,
                                                                                                  void (*depend)());
}

namespace quiesce::testing {

namespace {

struct Armed {
  std::atomic<int> error{0};
  std::atomic<int> skip{0};
  std::atomic<int> times{0};
  std::atomic<int> hits{0};
  std::atomic<int> delay_us{0};
  std::atomic<const char*> path_part{nullptr};
};

std::array<Armed, static_cast<size_t>(Call::kCount)> armed;
std::atomic<int> most_bytes_at_once{0};
std::atomic<int> slow_calls{0};
std::atomic<bool> dies_before_exec{false};

QUIESCE_PLAIN Armed& Of(Call call) { return armed[static_cast<size_t>(call)]; }

QUIESCE_PLAIN bool Counts(Armed* fault, int fd, const char* path) {
  const char* part = fault->path_part.load();
  if (part == nullptr) return true;
  if (path != nullptr) return strstr(path, part) != nullptr;
  std::array<char, 64> link{};
  std::array<char, 512> target{};
  (void)snprintf(link.data(), link.size(), "/proc/self/fd/%d", fd);
  return readlink(link.data(), target.data(), target.size() - 1) > 0 && strstr(target.data(), part) != nullptr;
}

// Sets errno when the call is to fail.
QUIESCE_PLAIN bool Fails(Call call, int fd = -1, const char* path = nullptr) {
  Armed& fault = Of(call);
  const int error = fault.error.load();
  const int delay_us = fault.delay_us.load();
  if ((error == 0 && delay_us == 0) || !Counts(&fault, fd, path)) return false;
  if (delay_us != 0) (void)usleep(static_cast<unsigned>(delay_us));
  if (error == 0) return false;
  if (fault.skip.fetch_sub(1) > 0) return false;
  if (fault.times.fetch_sub(1) <= 0) return false;
  fault.hits.fetch_add(1);
  errno = error;
  return true;
}

QUIESCE_PLAIN bool Interrupted() {
  if (most_bytes_at_once.load() == 0 || slow_calls.fetch_add(1) % 2 != 0) return false;
  errno = EINTR;
  return true;
}

size_t Shortened(size_t size) {
  const int most = most_bytes_at_once.load();
  const bool may_be_an_event = size == sizeof(uint64_t);  // an eventfd takes and gives its eight bytes at once
  return most == 0 || may_be_an_event ? size : std::min(size, static_cast<size_t>(most));
}

QUIESCE_PLAIN Call CallOf(long number) {
  switch (number) {
    case SYS_pidfd_open:
      return Call::kPidfdOpen;
    case SYS_pidfd_send_signal:
      return Call::kPidfdSignal;
    case SYS_waitid:
      return Call::kWaitid;
    case SYS_chdir:
      return Call::kChdir;
    case SYS_close_range:
      return Call::kCloseRange;
    case SYS_dup3:
      return Call::kDup;
    case SYS_execve:
      return Call::kExecve;
    case SYS_keyctl:
      return Call::kKeyctl;
    case SYS_landlock_restrict_self:
      return Call::kRestrict;
    case SYS_prlimit64:
      return Call::kPrlimit;
    case SYS_prctl:
      return Call::kPrctl;
    case SYS_setns:
      return Call::kSetns;
    default:
      return Call::kCount;
  }
}

}  // namespace

Fault::Fault(Call call, int error, Scope scope) : call_(call) {
  Armed& fault = Of(call);
  fault.skip = scope.skip;
  fault.times = scope.times;
  fault.hits = 0;
  fault.path_part = scope.path_part;
  fault.error = error;
}

Fault::~Fault() { Of(call_).error = 0; }

int Fault::hits() const { return Of(call_).hits.load(); }

Delay::Delay(Call call, int microseconds, const char* path_part) : call_(call) {
  Of(call).path_part = path_part;
  Of(call).delay_us = microseconds;
}

Delay::~Delay() { Of(call_).delay_us = 0; }

RoughSystem::RoughSystem(int most_bytes) {
  slow_calls = 0;
  most_bytes_at_once = most_bytes;
}

RoughSystem::~RoughSystem() { most_bytes_at_once = 0; }

int RoughSystem::interruptions() const { return slow_calls.load() / 2; }

DeathBeforeExec::DeathBeforeExec() { dies_before_exec = true; }

DeathBeforeExec::~DeathBeforeExec() { dies_before_exec = false; }

}  // namespace quiesce::testing

using quiesce::testing::Call;
using quiesce::testing::Fails;
using quiesce::testing::Interrupted;
using quiesce::testing::Shortened;

extern "C" {

int __wrap_clone(int (*entry)(void*), void* stack, int flags, void* argument, ...) {
  va_list rest;
  va_start(rest, argument);
  auto* pidfd = va_arg(rest, int*);
  va_end(rest);
  return Fails(Call::kClone) ? -1 : __real_clone(entry, stack, flags, argument, pidfd);
}

// The descriptor is closed all the same, as Linux does.
int __wrap_close(int fd) {
  const bool fails = Fails(Call::kClose, fd);
  const int error = errno;
  const int result = __real_close(fd);
  if (!fails) return result;
  errno = error;
  return -1;
}

int __wrap_epoll_create1(int flags) { return Fails(Call::kEpollCreate) ? -1 : __real_epoll_create1(flags); }

int __wrap_epoll_ctl(int epoll, int operation, int fd, epoll_event* event) {
  if (operation != EPOLL_CTL_DEL && Fails(Call::kEpollControl, fd)) return -1;
  return __real_epoll_ctl(epoll, operation, fd, event);
}

int __wrap_epoll_wait(int epoll, epoll_event* events, int size, int timeout) {
  if (Fails(Call::kEpollWait) || Interrupted()) return -1;
  return __real_epoll_wait(epoll, events, size, timeout);
}

int __wrap_eventfd(unsigned value, int flags) { return Fails(Call::kEventFd) ? -1 : __real_eventfd(value, flags); }

int __wrap_fcntl(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  const long argument = va_arg(rest, long);
  va_end(rest);
  return Fails(Call::kFcntl, fd) ? -1 : __real_fcntl(fd, command, argument);
}

DIR* __wrap_fdopendir(int fd) { return Fails(Call::kFdopendir, fd) ? nullptr : __real_fdopendir(fd); }

int __wrap_fstat(int fd, struct stat* status) { return Fails(Call::kFstat, fd) ? -1 : __real_fstat(fd, status); }

int __wrap_kill(pid_t pid, int number) { return Fails(Call::kKill) ? -1 : __real_kill(pid, number); }

off_t __wrap_lseek(int fd, off_t offset, int whence) {
  return Fails(Call::kSeek, fd) ? -1 : __real_lseek(fd, offset, whence);
}

int __wrap_memfd_create(const char* name, unsigned flags) {
  return Fails(Call::kMemfdCreate) ? -1 : __real_memfd_create(name, flags);
}

int __wrap_mkdir(const char* path, mode_t mode) {
  return Fails(Call::kMakeDirectory, -1, path) ? -1 : __real_mkdir(path, mode);
}

int __wrap_mkdirat(int folder, const char* path, mode_t mode) {
  return Fails(Call::kMakeDirectory, -1, path) ? -1 : __real_mkdirat(folder, path, mode);
}

void* __wrap_mmap(void* address, size_t size, int protection, int flags, int fd, off_t offset) {
  return Fails(Call::kMmap) ? reinterpret_cast<void*>(-1) : __real_mmap(address, size, protection, flags, fd, offset);
}

int __wrap_mprotect(void* address, size_t size, int protection) {
  return Fails(Call::kMprotect) ? -1 : __real_mprotect(address, size, protection);
}

int __wrap_openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  if (Fails(Call::kOpen, -1, path) || Interrupted()) return -1;
  return __real_openat(folder, path, flags, mode);
}

int __wrap_pipe2(int* ends, int flags) { return Fails(Call::kPipe) ? -1 : __real_pipe2(ends, flags); }

ssize_t __wrap_pread(int fd, void* buffer, size_t size, off_t offset) {
  if (Fails(Call::kRead, fd) || Interrupted()) return -1;
  return __real_pread(fd, buffer, size, offset);
}

long __wrap_quiesce_clone3(clone_args* args, size_t size, void (*entry)(void*), void* argument) {
  return Fails(Call::kClone3) ? -errno : __real_quiesce_clone3(args, size, entry, argument);
}

ssize_t __wrap_read(int fd, void* buffer, size_t size) {
  if (Fails(Call::kRead, fd) || Interrupted()) return -1;
  return __real_read(fd, buffer, Shortened(size));
}

int __wrap_rmdir(const char* path) { return Fails(Call::kRemove, -1, path) ? -1 : __real_rmdir(path); }

QUIESCE_PLAIN long __wrap_syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  long words[6];
  for (long& word : words) word = va_arg(rest, long);
  va_end(rest);
  const Call call = quiesce::testing::CallOf(number);
  if (call == Call::kExecve && quiesce::testing::dies_before_exec.load()) {
    (void)__real_syscall(SYS_kill, __real_syscall(SYS_getpid), SIGKILL);
  }
  if (call != Call::kCount && Fails(call)) return -1;
  if (call == Call::kWaitid && Interrupted()) return -1;
  return __real_syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

int __wrap_unlink(const char* path) { return Fails(Call::kRemove, -1, path) ? -1 : __real_unlink(path); }

int __wrap_unlinkat(int folder, const char* path, int flags) {
  return Fails(Call::kRemove, -1, path) ? -1 : __real_unlinkat(folder, path, flags);
}

ssize_t __wrap_write(int fd, const void* buffer, size_t size) {
  if (Fails(Call::kWrite, fd) || Interrupted()) return -1;
  return __real_write(fd, buffer, Shortened(size));
}

void __wrap__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(std::thread* self,
                                                                                                  ThreadState state,
                                                                                                  void (*depend)()) {
  if (Fails(Call::kThread)) throw std::system_error(errno, std::generic_category());
  __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(self, std::move(state),
                                                                                               depend);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,google-runtime-int,readability-identifier-naming)
