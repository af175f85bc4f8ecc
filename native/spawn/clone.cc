#include "spawn/clone.h"

#include <sched.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include "os/sys.h"

// clone3 has no libc wrapper that gives the child a stack of its own, and a C function cannot return twice on two
// stacks. long quiesce_clone3(clone_args*, size_t, void (*entry)(void*), void* argument): pid, or a negative errno.
#if defined(__x86_64__)
asm(R"(
  .pushsection .text
  .hidden quiesce_clone3
  .globl quiesce_clone3
  .type quiesce_clone3, @function
quiesce_clone3:
  mov %rdx, %r8
  mov %rcx, %r9
  mov $435, %eax
  syscall
  test %rax, %rax
  jz 1f
  ret
1:
  xor %ebp, %ebp
  mov %r9, %rdi
  call *%r8
  hlt
  .size quiesce_clone3, .-quiesce_clone3
  .popsection
)");
#define QUIESCE_HAS_CLONE3 1
#elif defined(__aarch64__)
asm(R"(
  .pushsection .text
  .hidden quiesce_clone3
  .globl quiesce_clone3
  .type quiesce_clone3, %function
quiesce_clone3:
  mov x9, x2
  mov x10, x3
  mov x8, #435
  svc #0
  cbz x0, 1f
  ret
1:
  mov x29, xzr
  mov x30, xzr
  mov x0, x10
  blr x9
  brk #0
  .size quiesce_clone3, .-quiesce_clone3
  .popsection
)");
#define QUIESCE_HAS_CLONE3 1
#else
#define QUIESCE_HAS_CLONE3 0
#endif

#if QUIESCE_HAS_CLONE3
extern "C" long quiesce_clone3(clone_args* args, size_t size, void (*entry)(void*), void* argument);  // NOLINT
#endif

namespace quiesce {

namespace {

std::atomic<bool> clone3_works{QUIESCE_HAS_CLONE3 != 0};

constexpr uint64_t kFlags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD;

#if QUIESCE_HAS_CLONE3
Result<ClonedChild> Clone3(void (*entry)(void*), void* argument, int cgroup, const ChildStack& stack) {
  int pidfd = -1;
  clone_args args{};
  args.flags = kFlags | (cgroup >= 0 ? CLONE_INTO_CGROUP : 0);
  args.pidfd = reinterpret_cast<uint64_t>(&pidfd);
  args.exit_signal = SIGCHLD;
  args.stack = reinterpret_cast<uint64_t>(stack.bottom());
  args.stack_size = ChildStack::size();
  args.cgroup = cgroup >= 0 ? static_cast<uint64_t>(cgroup) : 0;
  // The size that CLONE_INTO_CGROUP came with; an older kernel takes the shorter form when the rest is not used.
  const size_t size = cgroup >= 0 ? CLONE_ARGS_SIZE_VER2 : CLONE_ARGS_SIZE_VER0;
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

Result<ClonedChild> CloneChild(void (*entry)(void*), void* argument, int cgroup, const ChildStack& stack) {
#if QUIESCE_HAS_CLONE3
  if (clone3_works.load(std::memory_order_relaxed)) {
    auto cloned = Clone3(entry, argument, cgroup, stack);
    if (cloned.ok() || cgroup >= 0 || !MeansUnsupported(cloned.error())) return cloned;
    clone3_works.store(false, std::memory_order_relaxed);
  }
#endif
  if (cgroup >= 0) return SysError{ENOSYS, "clone3", {}};
  return CloneLegacy(entry, argument, stack);
}

}  // namespace quiesce
