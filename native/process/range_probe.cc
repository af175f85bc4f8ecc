#include "process/range_probe.h"

#include <poll.h>

#include <cerrno>
#include <csignal>

#include "os/sys.h"
#include "spawn/launch.h"

namespace quiesce {

namespace {

constexpr int kPatienceMs = 1000;

Result<siginfo_t> WaitUntilGone(int pidfd) {
  pollfd entry{pidfd, POLLIN, 0};
  if (sys::RetryInterrupted([&] { return poll(&entry, 1, kPatienceMs); }) != 1) return SysError{ETIMEDOUT, "poll", {}};
  siginfo_t info{};
  // ECHILD: the host ignores SIGCHLD, and the kernel has reaped it already.
  if (sys::WaitPidfd(pidfd, &info, WEXITED, nullptr) == -1 && errno != ECHILD) return SysError{errno, "waitid", {}};
  return info;
}

// A child with nothing to execute gets as far as the last step and ends there. EINTR: it was killed on the way.
Status RunChild(Range& range, const ChildStack& stack) {
  char* nothing[] = {nullptr};
  ChildPlan plan;
  plan.argv = nothing;
  plan.environment = nothing;
  plan.candidates = nothing;
  plan.cwd = "/";
  auto child = range.Start(&plan, stack);
  if (!child.ok()) return child.error();
  auto end = WaitUntilGone(child.value().pidfd.get());
  if (!end.ok()) return end.error();
  if (plan.failed_stage == SpawnStage::kExec) return {};
  return SysError{plan.failed_stage == SpawnStage::kNone ? EINTR : plan.failed_errno, "cgroup.procs", {}};
}

Status RunChild(Range& range) {
  auto stack = ChildStack::Create();
  if (!stack.ok()) return stack.error();
  Status ran = RunChild(range, stack.value());
  if (ran.ok() || ran.error().number != EINTR) return ran;
  AvoidCloneIntoCgroup();
  return RunChild(range, stack.value());
}

}  // namespace

Status ProbeRanges(RangeSource& source) {
  auto range = source.Acquire();
  if (!range.ok()) return range.error();
  if (Status ran = RunChild(*range.value()); !ran.ok()) return ran;
  range.value()->KillAll();
  auto empty = range.value()->IsEmpty();
  if (!empty.ok()) return empty.error();
  source.Release(std::move(range.value()));
  return {};
}

}  // namespace quiesce
