// Every system call of the core that libc has no wrapper for, or that must survive EINTR. Functions return what the
// kernel returns (-1 and errno); turning that into an error with a name is the caller's business.
#pragma once

#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif
#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x00001000
#endif
#ifndef CLONE_INTO_CGROUP
#define CLONE_INTO_CGROUP 0x200000000ULL
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

namespace quiesce::sys {

// linux/pidfd.h, kernel 6.9
inline constexpr unsigned kPidfdSignalProcessGroup = 1U << 2;

// struct pidfd_info in linux/pidfd.h, its first published size: kernel 6.13
struct PidfdInfo {
  uint64_t mask;
  uint64_t cgroup_id;
  uint32_t ids[11];
  int32_t exit_code;  // as waitpid tells it; kernel 6.15
};
static_assert(sizeof(PidfdInfo) == 64);
inline constexpr uint64_t kPidfdInfoExit = 1U << 3;

// struct rlimit64 in linux/resource.h, whatever size libc gives its own
struct Rlimit {
  uint64_t soft;
  uint64_t hard;
};

// Repeats a call for as long as it is interrupted.
template <typename Call>
auto RetryInterrupted(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result == -1 && errno == EINTR);
  return result;
}

inline int PidfdOpen(pid_t pid) { return static_cast<int>(syscall(SYS_pidfd_open, pid, 0U)); }

inline int PidfdSendSignal(int pidfd, int signal_number, unsigned flags = 0) {
  return static_cast<int>(syscall(SYS_pidfd_send_signal, pidfd, signal_number, nullptr, flags));
}

// waitid with the rusage that only the raw call gives.
inline int WaitPidfd(int pidfd, siginfo_t* info, int options, rusage* usage) {
  return static_cast<int>(RetryInterrupted([&] { return syscall(SYS_waitid, P_PIDFD, pidfd, info, options, usage); }));
}

// PIDFD_GET_INFO. The exit status is there from the moment that the process has been reaped, by whomever, for as long
// as a pidfd that was opened before stays open.
inline int GetPidfdInfo(int pidfd, PidfdInfo* info) {
  return RetryInterrupted([&] { return ioctl(pidfd, _IOWR(0xFF, 11, PidfdInfo), info); });
}

// Of this process. `resource` is one of RLIMIT_*.
inline int GetLimit(int resource, Rlimit* limit) {
  return static_cast<int>(syscall(SYS_prlimit64, 0, resource, nullptr, limit));
}

inline ssize_t Read(int fd, void* buffer, size_t size) {
  return RetryInterrupted([&] { return ::read(fd, buffer, size); });
}

inline ssize_t Write(int fd, const void* buffer, size_t size) {
  return RetryInterrupted([&] { return ::write(fd, buffer, size); });
}

inline int OpenAt(int folder, const char* path, int flags, mode_t mode = 0) {
  return RetryInterrupted([&] { return ::openat(folder, path, flags | O_CLOEXEC, mode); });
}

}  // namespace quiesce::sys
