// System calls that fail on purpose. The test program is linked with `--wrap` for the calls of wrapped_calls.txt, so
// the core runs unchanged; each wrapper asks the faults that are armed and otherwise makes the real call. A fault
// counts for every thread and for a child that has not reached its execve yet.
#pragma once

#include <atomic>
#include <string>

namespace quiesce::testing {

enum class Call {
  kClose,
  kClone,
  kClone3,
  kEpollControl,
  kEpollCreate,
  kEpollWait,
  kEventFd,
  kFcntl,
  kFdopendir,
  kFstat,
  kKill,
  kMakeDirectory,
  kMemfdCreate,
  kMmap,
  kMprotect,
  kOpen,
  kPidfdOpen,
  kPidfdSignal,
  kPipe,
  kRead,
  kRemove,
  kSeek,
  kThread,
  kWaitid,
  kWrite,
  // Of the child:
  kChdir,
  kCloseRange,
  kDup,
  kExecve,
  kKeyctl,
  kPrctl,
  kPrlimit,
  kRestrict,
  kSetns,
  kCount
};

// While it lives, `times` calls of that kind fail with `error`, after `skip` of them went well. With `path_part` only
// those count whose path, or whose descriptor's target in /proc/self/fd, contains it. One fault for a kind at a time.
class Fault {
 public:
  struct Scope {
    int skip = 0;
    int times = 1 << 20;
    const char* path_part = nullptr;
  };

  Fault(Call call, int error) : Fault(call, error, Scope{}) {}
  Fault(Call call, int error, Scope scope);
  ~Fault();
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;

  // How many calls it failed.
  [[nodiscard]] int hits() const;

 private:
  Call call_;
};

// While it lives, calls of that kind take `microseconds` longer; `path_part` as above.
class Delay {
 public:
  Delay(Call call, int microseconds, const char* path_part);
  ~Delay();
  Delay(const Delay&) = delete;
  Delay& operator=(const Delay&) = delete;

 private:
  Call call_;
};

// While it lives, every other call that can be interrupted is, and no read or write moves more than `most_bytes`.
class RoughSystem {
 public:
  explicit RoughSystem(int most_bytes);
  ~RoughSystem();
  RoughSystem(const RoughSystem&) = delete;
  RoughSystem& operator=(const RoughSystem&) = delete;

  [[nodiscard]] int interruptions() const;
};

// While it lives, a child is killed where it would call execve.
class DeathBeforeExec {
 public:
  DeathBeforeExec();
  ~DeathBeforeExec();
  DeathBeforeExec(const DeathBeforeExec&) = delete;
  DeathBeforeExec& operator=(const DeathBeforeExec&) = delete;
};

}  // namespace quiesce::testing
