#include "spawn/spawn.h"

#include <cerrno>

#include "os/sys.h"
#include "spawn/exec_image.h"
#include "spawn/launch.h"
#include "spawn/oom_score.h"

namespace quiesce {

namespace {

// The kernel's counters of resident pages are exact to some dozens of pages for each processor only.
constexpr uint64_t kRssSlackBytes = uint64_t{1024} * 1024;

uint64_t HostPeakRss() {
  rusage usage{};
  (void)getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024 + kRssSlackBytes;  // getrusage counts kilobytes
}

}  // namespace

std::variant<Spawned, SpawnFailure> Spawn(SpawnRequest* request, int cgroup, int null_device, const ChildStack& stack) {
  auto stdio = Stdio::Open(request, null_device);
  if (!stdio.ok()) return SpawnFailure{SpawnStage::kStdio, stdio.error().number, stdio.error().path};
  ExecImage image(request->argv, request->environment);
  ChildPlan plan;
  plan.argv = image.argv();
  plan.environment = image.environment();
  plan.candidates = image.candidates();
  plan.shell_argv = image.shell_argv();
  plan.cwd = request->cwd.c_str();
  plan.oom_score = CommandOomScore().c_str();
  stdio.value().FillPlan(&plan);
  const TimePoint started_at = Clock::now();
  auto child = Launch(&plan, cgroup, stack);
  if (!child.ok()) {
    const SpawnStage stage = cgroup >= 0 && child.error().number != EAGAIN && child.error().number != ENOMEM
                                 ? SpawnStage::kRange
                                 : SpawnStage::kClone;
    return SpawnFailure{stage, child.error().number, {}};
  }
  if (plan.failed_stage != SpawnStage::kNone) {
    siginfo_t info{};
    (void)sys::WaitPidfd(child.value().pidfd.get(), &info, WEXITED, nullptr);  // it has exited; this only reaps it
    return SpawnFailure{plan.failed_stage, plan.failed_errno, {}};
  }
  return Spawned{started_at, HostPeakRss(), std::move(child.value()), stdio.value().TakeHostStreams()};
}

}  // namespace quiesce
