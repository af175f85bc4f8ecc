#include "supervisor/command.h"

#include <linux/sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cstddef>
#include <cstdint>

#include "spawn/candidates.h"
#include "supervisor/clone_call.h"
#include "supervisor/raw_calls.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

namespace quiesce::supervisor {

namespace {

constexpr size_t kStackSize = size_t{16} * 1024;
alignas(16) char stack[kStackSize];

// Shared with the child until its execve.
struct Launch {
  const Command* command;
  Word supervisor;
  volatile FailedStep step;
  volatile int error;
};

struct Execve {
  char* const* environment;
  int operator()(const char* file, char* const* argv) const {
    return static_cast<int>(-Call(SYS_execve, file, argv, environment));
  }
};

void CloseOwn() {
  if (Call(SYS_close_range, kChannelDescriptor, ~0U, 0U) == 0) return;
  // compat(kernel < 5.9, or close_range refused by a seccomp filter): everything else is close-on-exec.
  for (int fd = kChannelDescriptor; fd <= kOomScoreDescriptor; ++fd) (void)Call(SYS_close, fd);
}

[[noreturn]] void End() {
  while (true) Call(SYS_exit_group, 127);
}

void TakeTerminal(Launch* launch) {
  const Word taken = Call(SYS_ioctl, 0, TIOCSCTTY, 0);
  if (taken == 0) return;
  launch->step = FailedStep::kTerminal;
  launch->error = static_cast<int>(-taken);
  End();
}

void RunCommand(void* opaque) {
  auto* launch = static_cast<Launch*>(opaque);
  (void)Call(SYS_setsid);  // cannot fail: a new process leads no group
  // Whoever kills the supervisor ends what it can no longer hold.
  (void)Call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (Call(SYS_getppid) == launch->supervisor) {
    CloseOwn();
    const uint64_t none = 0;
    (void)Call(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof none);
    const Command& command = *launch->command;
    if (command.terminal) TakeTerminal(launch);
    launch->step = FailedStep::kExec;
    launch->error = TryCandidates(command.candidates, command.argv, command.shell_argv, Execve{command.environment});
  }
  End();
}

}  // namespace

StartedCommand StartCommand(const Command& command) {
  StartedCommand started;
  Launch launch{&command, Call(SYS_getpid), FailedStep::kNone, 0};
  constexpr Word kFlags = CLONE_VM | CLONE_VFORK | SIGCHLD;
  const Word pid = quiesce_clone_sharing(kFlags, stack + kStackSize, RunCommand, &launch);
  if (pid < 0) {
    started.step = FailedStep::kClone;
    started.error = static_cast<int>(-pid);
    return started;
  }
  started.pid = static_cast<int>(pid);
  if (launch.error == 0) return started;
  (void)CallAgain(SYS_wait4, pid, nullptr, __WALL, nullptr);
  started.step = launch.step;
  started.error = launch.error;
  return started;
}

}  // namespace quiesce::supervisor
