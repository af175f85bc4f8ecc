// The threads of one host environment: one event loop, the spawners, one for the disk. Started together by its first
// command.
#pragma once

#include <memory>
#include <optional>

#include "os/event_loop.h"
#include "os/unique_fd.h"
#include "output/spill_thread.h"
#include "prepared/policy_cache.h"
#include "process/start_gate.h"
#include "reactor/spawner_pool.h"

namespace quiesce {

// Destroying it joins the threads; nothing may be running then.
struct Engine {
  static Result<std::shared_ptr<Engine>> Start();

  UniqueFd null_device;
  // In reverse order of their end: first no clone is under way any more, then no policy is in use, then the disk has
  // everything, and the loop, which they report to, goes last.
  std::unique_ptr<EventLoop> loop;
  SpillThread spill_thread;
  StartGate gate;
  std::optional<PolicyCache> policies;
  SpawnerPool spawners{&gate};
};

}  // namespace quiesce
