#include "process/supervisor_probe.h"

#include <poll.h>

#include <cerrno>

#include "os/sys.h"
#include "range/supervisor_range.h"

namespace quiesce {

namespace {

constexpr std::chrono::milliseconds kPatience{1000};

// Until `look` says true; false after the patience.
template <typename Look>
bool WaitFor(int fd, Look look) {
  const TimePoint latest = Clock::now() + kPatience;
  while (!look()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(latest - Clock::now()).count();
    pollfd entry{fd, POLLIN, 0};
    if (left <= 0 || sys::RetryInterrupted([&] { return poll(&entry, 1, static_cast<int>(left)); }) != 1) return false;
  }
  return true;
}

bool IsEmpty(Range& range) {
  auto empty = range.IsEmpty();
  return empty.ok() && empty.value();
}

// The supervisor's own program, as the command.
Result<ClonedChild> StartOrphanMaker(Range& range, ChildPlan* plan) {
  auto stack = ChildStack::Create();
  if (!stack.ok()) return stack.error();
  auto child = range.Start(plan, stack.value());
  if (!child.ok()) return child.error();
  if (plan->failed_stage != SpawnStage::kNone) return SysError{plan->failed_errno, "execve", {}};
  return child;
}

Status Check(Range& range) {
  char program[] = "quiesce-supervisor";
  char probe[] = "probe";
  char itself[] = "/proc/self/exe";
  char* argv[] = {program, probe, nullptr};
  char* candidates[] = {itself, nullptr};
  char* shell_argv[] = {itself, nullptr, probe, nullptr};
  char* environment[] = {nullptr};
  ChildPlan plan;
  plan.argv = argv;
  plan.candidates = candidates;
  plan.shell_argv = shell_argv;
  plan.environment = environment;
  plan.cwd = "/";
  plan.closings[plan.closing_count++] = {STDERR_FILENO + 1, ~0U};
  auto child = StartOrphanMaker(range, &plan);
  if (!child.ok()) return child.error();
  std::optional<ExitFacts> exit;
  const bool heard = WaitFor(range.exit_fd(), [&] { return (exit = range.TakeExit()).has_value(); });
  const bool held = heard && exit->exit_code == 0 && !IsEmpty(range);
  range.KillAll();
  const bool emptied = WaitFor(range.exit_fd(), [&] { return IsEmpty(range); });
  if (!heard || !emptied) return SysError{ETIMEDOUT, "supervisor", {}};
  if (!held) return SysError{ECHILD, "supervisor", {}};
  return {};
}

}  // namespace

Status ProbeSupervisor(const std::string& program) {
  SupervisorRangeSource source(program, HostCrash::kEnd);
  auto range = source.Acquire();
  if (!range.ok()) return range.error();
  return Check(*range.value());
}

}  // namespace quiesce
