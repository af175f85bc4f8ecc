#include "spawn/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "os/sys.h"
#include "spawn/candidates.h"
#include "spawn/child_confinement.h"
#include "spawn/in_child.h"

namespace quiesce {

namespace {

constexpr int kSignalCount = 64;

// The kernel's struct sigaction, not libc's; SIG_DFL with no flags is all zeroes on every architecture.
struct KernelSigaction {
  unsigned long words[4];  // NOLINT(google-runtime-int): the kernel's own type
};

[[noreturn]] QUIESCE_IN_CHILD void Fail(ChildPlan* plan, SpawnStage stage, int error) {
  plan->failed_errno = error;
  plan->failed_stage = stage;
  while (true) syscall(SYS_exit_group, 127);
}

QUIESCE_IN_CHILD void FailIfFailed(ChildPlan* plan, ConfineFailure failure) {
  if (failure.step == ConfineStep::kNone) return;
  plan->failed_step = failure.step;
  Fail(plan, SpawnStage::kSandbox, failure.error);
}

QUIESCE_IN_CHILD void ResetSignals() {
  KernelSigaction by_default;
  for (unsigned long& word : by_default.words) word = 0;
  for (int number = 1; number <= kSignalCount; ++number) {
    // SIGKILL and SIGSTOP refuse, and need nothing.
    (void)syscall(SYS_rt_sigaction, number, &by_default, nullptr, sizeof(uint64_t));
  }
}

QUIESCE_IN_CHILD void UnblockSignals() {
  const uint64_t none = 0;
  (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof none);
}

// For a process that shares memory after a vfork the kernel changes the value of this one alone. Where there is no
// /proc of this namespace the command keeps the host's value, which harms nobody until memory runs out.
QUIESCE_IN_CHILD void SetOomScore(const char* score) {
  if (score == nullptr) return;
  size_t length = 0;
  while (score[length] != '\0') ++length;
  const long file = syscall(SYS_openat, AT_FDCWD, "/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);  // NOLINT
  if (file == -1) return;
  (void)syscall(SYS_write, file, score, length);
  (void)syscall(SYS_close, file);
}

// Before the confinement, in which they may be out of reach.
QUIESCE_IN_CHILD void KeepOwnFiles(const ChildPlan* plan) {
  for (size_t i = 0; i < plan->own_file_count; ++i) {
    const ChildPlan::OwnFile& own = plan->own_files[i];
    const long file = syscall(SYS_openat, AT_FDCWD, own.path, own.flags);  // NOLINT(google-runtime-int)
    if (file == -1 || file == own.target) continue;                        // what lacks the file does without
    (void)syscall(SYS_dup3, file, own.target, 0);
    (void)syscall(SYS_close, file);
  }
}

QUIESCE_IN_CHILD void TakeSettings(ChildPlan* plan) {
  const InheritedSettings& settings = *plan->settings;
  (void)syscall(SYS_umask, settings.umask);
  for (unsigned number = 0; number < InheritedSettings::kLimits; ++number) {
    if ((settings.changed_limits >> number & 1U) == 0) continue;
    // EPERM: the host has raised a hard limit, and whoever clones may not.
    if (syscall(SYS_prlimit64, 0, number, &settings.limits[number], nullptr) == -1) {
      Fail(plan, SpawnStage::kClone, errno);
    }
  }
}

// compat(kernel < 5.9, or close_range refused by a seccomp filter): closes by the list in /proc.
QUIESCE_IN_CHILD void CloseListed(const ChildPlan::Closing& range) {
  struct Entry {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[1];
  };
  const auto folder = static_cast<int>(syscall(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY, 0));
  if (folder < 0) return;  // without /proc, close-on-exec covers all that is ours
  alignas(uint64_t) char buffer[1024];
  while (true) {
    const long size = syscall(SYS_getdents64, folder, buffer, sizeof buffer);  // NOLINT(google-runtime-int)
    if (size <= 0) break;
    for (long at = 0; at < size;) {  // NOLINT(google-runtime-int)
      const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
      unsigned number = 0;
      bool numeric = entry->name[0] != '.';
      for (const char* digit = entry->name; *digit != '\0' && numeric; ++digit) {
        number = number * 10 + static_cast<unsigned>(*digit - '0');
      }
      if (numeric && number >= range.first && number <= range.last && static_cast<int>(number) != folder) {
        (void)syscall(SYS_close, number);
      }
      at += entry->length;
    }
  }
  (void)syscall(SYS_close, folder);
}

QUIESCE_IN_CHILD void CloseAllElse(const ChildPlan* plan) {
  for (size_t i = 0; i < plan->closing_count; ++i) {
    const ChildPlan::Closing& range = plan->closings[i];
    if (syscall(SYS_close_range, range.first, range.last, 0U) == -1) CloseListed(range);
  }
}

// Last of all: with fewer descriptors than there are open now, or no room in files, the steps before could not be
// taken.
QUIESCE_IN_CHILD void SetLimits(ChildPlan* plan) {
  for (size_t i = 0; i < plan->limit_count; ++i) {
    const ChildPlan::ProcessLimit& limit = plan->limits[i];
    if (syscall(SYS_prlimit64, 0, limit.resource, &limit.values, nullptr) == 0) continue;
    plan->failed_limit = limit.limit;
    Fail(plan, SpawnStage::kLimits, errno);
  }
}

struct Execve {
  char* const* environment;

  QUIESCE_IN_CHILD int operator()(const char* file, char* const* argv) const {
    (void)syscall(SYS_execve, file, argv, environment);
    return errno;
  }
};

QUIESCE_IN_CHILD int Execute(ChildPlan* plan) {
  if (plan->executable < 0) {
    return TryCandidates(plan->candidates, plan->argv, plan->shell_argv, Execve{plan->environment});
  }
  (void)syscall(SYS_execveat, plan->executable, "", plan->argv, plan->environment, AT_EMPTY_PATH);
  return errno;
}

}  // namespace

QUIESCE_IN_CHILD void ChildMain(void* argument) {
  auto* plan = static_cast<ChildPlan*>(argument);
  if (plan->cgroup_procs >= 0 && syscall(SYS_write, plan->cgroup_procs, "0", 1UL) == -1) {
    Fail(plan, SpawnStage::kRange, errno);
  }
  SetOomScore(plan->oom_score);
  ResetSignals();
  (void)syscall(SYS_setsid);  // cannot fail: a new process leads no group
  for (size_t i = 0; i < plan->descriptor_count; ++i) {
    const ChildPlan::Descriptor& descriptor = plan->descriptors[i];
    if (syscall(SYS_dup3, descriptor.source, descriptor.target, 0) == -1) Fail(plan, SpawnStage::kStdio, errno);
  }
  if (plan->controlling_terminal && syscall(SYS_ioctl, STDIN_FILENO, TIOCSCTTY, 0) == -1) {
    Fail(plan, SpawnStage::kStdio, errno);
  }
  KeepOwnFiles(plan);
  if (plan->settings != nullptr) TakeSettings(plan);
  if (plan->confinement != nullptr) FailIfFailed(plan, EnterConfinement(*plan->confinement));
  if (syscall(SYS_chdir, plan->cwd) == -1) Fail(plan, SpawnStage::kChdir, errno);
  if (plan->confinement != nullptr) FailIfFailed(plan, GiveUpRights(*plan->confinement));
  CloseAllElse(plan);
  SetLimits(plan);
  UnblockSignals();
  Fail(plan, SpawnStage::kExec, Execute(plan));
}

}  // namespace quiesce
