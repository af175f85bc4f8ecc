#include "spawn/spawn.h"

#include <cerrno>

#include "os/sys.h"
#include "spawn/exec_image.h"
#include "spawn/launch.h"

namespace quiesce {

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
  return Spawned{started_at, std::move(child.value()), stdio.value().TakeHostStreams()};
}

}  // namespace quiesce
