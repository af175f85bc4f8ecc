#include "process/cgroup_probe.h"

#include <poll.h>

#include <cerrno>
#include <csignal>

#include "os/sys.h"
#include "range/cgroup_range.h"
#include "spawn/launch.h"

namespace quiesce {

namespace {

constexpr int kPatienceMs = 1000;

Status WaitUntilGone(int pidfd) {
  pollfd entry{pidfd, POLLIN, 0};
  if (sys::RetryInterrupted([&] { return poll(&entry, 1, kPatienceMs); }) != 1) return SysError{ETIMEDOUT, "poll", {}};
  siginfo_t info{};
  // ECHILD: the host ignores SIGCHLD, and the kernel has reaped it already.
  if (sys::WaitPidfd(pidfd, &info, WEXITED, nullptr) == -1 && errno != ECHILD) return SysError{errno, "waitid", {}};
  return {};
}

// A child with nothing to execute gets as far as the last step and ends there.
Status RunChild(Range& range) {
  auto stack = ChildStack::Create();
  if (!stack.ok()) return stack.error();
  char* nothing[] = {nullptr};
  ChildPlan plan;
  plan.argv = nothing;
  plan.environment = nothing;
  plan.candidates = nothing;
  plan.cwd = "/";
  auto child = Launch(&plan, range.cgroup(), stack.value());
  if (!child.ok()) return child.error();
  if (Status gone = WaitUntilGone(child.value().pidfd.get()); !gone.ok()) return gone;
  if (plan.failed_stage != SpawnStage::kExec) return SysError{plan.failed_errno, "cgroup.procs", {}};
  return {};
}

Status Check(CgroupRangeSource& source) {
  auto range = source.Acquire();
  if (!range.ok()) return range.error();
  if (Status ran = RunChild(*range.value()); !ran.ok()) return ran;
  range.value()->KillAll();
  auto empty = range.value()->IsEmpty();
  if (!empty.ok()) return empty.error();
  source.Release(std::move(range.value()));
  return {};
}

}  // namespace

Status ProbeCgroup(const std::string& parent) {
  CgroupRangeSource source(parent);
  Status checked = Check(source);
  if (!checked.ok()) return SysError{checked.error().number, checked.error().syscall, parent};
  return {};
}

}  // namespace quiesce
