#include "spawn/spawn.h"

#include <algorithm>
#include <cerrno>

#include "os/sys.h"
#include "spawn/confinement.h"
#include "spawn/exec_image.h"
#include "spawn/oom_score.h"
#include "spawn/process_limits.h"

namespace quiesce {

namespace {

// The kernel's counters of resident pages are exact to some dozens of pages for each processor only.
constexpr uint64_t kRssSlackBytes = uint64_t{1024} * 1024;

uint64_t HostPeakRss() {
  rusage usage{};
  (void)getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024 + kRssSlackBytes;  // getrusage counts kilobytes
}

// A preparation that takes longer hangs: it takes a few milliseconds.
constexpr Millis kPreparationPatience{5000};

using Launched = std::variant<ClonedChild, SpawnFailure>;

// Clones and waits for the execve. After a failure no process is left.
Launched LaunchToExec(ChildPlan* plan, Starter* starter, const ChildStack& stack, TimePoint* started_at) {
  *started_at = Clock::now();
  auto child = starter->Start(plan, stack);
  if (!child.ok()) {
    const int error = child.error().number;
    return SpawnFailure{error == EAGAIN || error == ENOMEM ? SpawnStage::kClone : starter->refusal(), error, {}};
  }
  if (plan->failed_stage == SpawnStage::kNone) return std::move(child.value());
  siginfo_t info{};
  if (child.value().pidfd.valid())
    (void)sys::WaitPidfd(child.value().pidfd.get(), &info, WEXITED, nullptr);  // it has exited; this only reaps it
  const bool limited = plan->failed_stage == SpawnStage::kLimits;
  const char* step = limited ? NameOf(plan->failed_limit) : NameOf(plan->failed_step);
  return SpawnFailure{plan->failed_stage, plan->failed_errno, {}, step};
}

bool WasStale(const ChildPlan& plan) {
  return plan.failed_stage == SpawnStage::kSandbox && plan.failed_step == ConfineStep::kFreshness;
}

// The host may change between the look at a confinement and the child's entry: one more is prepared then, no third.
Launched LaunchConfined(ChildPlan* plan, Starter* starter, const ChildStack& stack, TimePoint* started_at,
                        ConfinementSource* source, Millis patience) {
  const TimePoint latest = After(Clock::now(), patience);
  for (int attempt = 1;; ++attempt) {
    auto acquired = source->Acquire(stack, latest);
    if (auto* failure = std::get_if<SpawnFailure>(&acquired)) return std::move(*failure);
    const auto& confinement = std::get<std::shared_ptr<const ChildConfinement>>(acquired);
    plan->confinement = confinement.get();
    plan->failed_stage = SpawnStage::kNone;
    plan->failed_step = ConfineStep::kNone;
    auto launched = LaunchToExec(plan, starter, stack, started_at);
    if (!WasStale(*plan)) return launched;
    source->Discard(*confinement);
    if (attempt == 2) return launched;
  }
}

}  // namespace

std::variant<Spawned, SpawnFailure> Spawn(SpawnRequest* request, Starter* starter, int null_device,
                                          const ChildStack& stack) {
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
  if (auto refused = PlanLimits(request->process_limits, &plan); refused.has_value()) return std::move(*refused);
  TimePoint started_at;
  ConfinementSource* source = request->confinement.get();
  const Millis patience = std::min(request->deadline.value_or(kPreparationPatience), kPreparationPatience);
  auto launched = source == nullptr ? LaunchToExec(&plan, starter, stack, &started_at)
                                    : LaunchConfined(&plan, starter, stack, &started_at, source, patience);
  if (auto* failure = std::get_if<SpawnFailure>(&launched)) return std::move(*failure);
  return Spawned{started_at, starter->shares_memory() ? HostPeakRss() : 0, std::move(std::get<ClonedChild>(launched)),
                 stdio.value().TakeHostStreams()};
}

}  // namespace quiesce
