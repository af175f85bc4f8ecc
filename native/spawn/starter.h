// How a child that carries out a plan comes into being: cloned by this process, or by somebody else for it.
#pragma once

#include "spawn/launch.h"
#include "spawn/spawn_request.h"

namespace quiesce {

class Starter {
 public:
  Starter() = default;
  Starter(const Starter&) = delete;
  Starter& operator=(const Starter&) = delete;
  virtual ~Starter() = default;

  // Returns when the child has called execve or exited; what failed in the child stands in the plan then. Without a
  // pidfd in the result there is nobody to be reaped. Runs on a spawner thread.
  virtual Result<ClonedChild> Start(ChildPlan* plan, const ChildStack& stack) = 0;

  // Whether the command has this process's memory until its execve, and so its peak.
  [[nodiscard]] virtual bool shares_memory() const { return true; }

  // The step that an error of Start is about, unless the host has run out of processes or memory.
  [[nodiscard]] virtual SpawnStage refusal() const { return SpawnStage::kRange; }
};

// A child of this process, in whatever cgroup this process is in.
class DirectStarter : public Starter {
 public:
  Result<ClonedChild> Start(ChildPlan* plan, const ChildStack& stack) override { return Launch(plan, -1, stack); }
  [[nodiscard]] SpawnStage refusal() const override { return SpawnStage::kClone; }
};

}  // namespace quiesce
