#include "spawn/clone.h"

#include <sched.h>

#include <cerrno>
#include <csignal>
#include <cstdint>

#include "os/sys.h"
#include "spawn/clone3_call.h"
#include "spawn/clone_support.h"

namespace quiesce {

namespace {

constexpr uint64_t kFlags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD;

#if QUIESCE_HAS_CLONE3
Result<ClonedChild> Clone3(void (*entry)(void*), void* argument, ChildPlace place, const ChildStack& stack) {
  const bool in_cgroup = place.cgroup >= 0;
  int pidfd = -1;
  clone_args args{};
  args.flags = kFlags | (in_cgroup ? CLONE_INTO_CGROUP : 0);
  args.pidfd = reinterpret_cast<uint64_t>(&pidfd);
  args.exit_signal = SIGCHLD;
  if (place.sibling != nullptr) {
    args.flags |= CLONE_PARENT | CLONE_PARENT_SETTID;
    args.parent_tid = reinterpret_cast<uint64_t>(place.sibling);
    args.exit_signal = 0;  // that of this process, which it has from its own start
  }
  args.stack = reinterpret_cast<uint64_t>(stack.bottom());
  args.stack_size = ChildStack::size();
  args.cgroup = in_cgroup ? static_cast<uint64_t>(place.cgroup) : 0;
  // The size that CLONE_INTO_CGROUP came with; an older kernel takes the shorter form when the rest is not used.
  const size_t size = in_cgroup ? CLONE_ARGS_SIZE_VER2 : CLONE_ARGS_SIZE_VER0;
  const long result = quiesce_clone3(&args, size, entry, argument);  // NOLINT(google-runtime-int)
  if (result < 0) return SysError{static_cast<int>(-result), "clone3", {}};
  return ClonedChild{static_cast<pid_t>(result), UniqueFd(pidfd)};
}
#endif

// compat(kernel < 5.3, or clone3 refused by a seccomp filter): libc's clone.
Result<ClonedChild> CloneLegacy(void (*entry)(void*), void* argument, const ChildStack& stack) {
  struct Call {
    void (*entry)(void*);
    void* argument;
  };
  Call call{entry, argument};
  int pidfd = -1;
  const auto run = [](void* opaque) {
    auto* inner = static_cast<Call*>(opaque);
    inner->entry(inner->argument);
    return 127;
  };
  const pid_t pid = clone(run, stack.top(), static_cast<int>(kFlags) | SIGCHLD, &call, &pidfd);
  if (pid == -1) return SysError{errno, "clone", {}};
  return ClonedChild{pid, UniqueFd(pidfd)};
}

}  // namespace

bool MeansUnsupported(const SysError& error) {
  return error.number == ENOSYS || error.number == EPERM || error.number == EINVAL || error.number == E2BIG;
}

Result<ClonedChild> CloneChild(void (*entry)(void*), void* argument, ChildPlace place, const ChildStack& stack) {
  const bool needs_clone3 = place.cgroup >= 0 || place.sibling != nullptr;
#if QUIESCE_HAS_CLONE3
  if (clone_support.clone3.load(std::memory_order_relaxed)) {
    auto cloned = Clone3(entry, argument, place, stack);
    if (cloned.ok() || needs_clone3 || !MeansUnsupported(cloned.error())) return cloned;
    clone_support.clone3.store(false, std::memory_order_relaxed);
  }
#endif
  if (needs_clone3) return SysError{ENOSYS, "clone3", {}};
  return CloneLegacy(entry, argument, stack);
}

}  // namespace quiesce
