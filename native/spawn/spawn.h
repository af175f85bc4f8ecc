// One spawn from request to running command. Runs on a spawner thread, which waits for the child's execve.
#pragma once

#include <variant>

#include "spawn/spawn_request.h"
#include "spawn/starter.h"
#include "spawn/stdio.h"

namespace quiesce {

struct Spawned {
  TimePoint started_at;
  // The host's own peak. A child that shared the host's memory before its execve inherits it as its own peak, so what
  // getrusage says of the command is only true above this. 0 where it shared nothing.
  uint64_t host_peak_rss_bytes;
  ClonedChild child;
  HostStreams streams;
};

// Consumes the descriptors and the data of `request`. `null_device` is borrowed. After a failure no process is left.
std::variant<Spawned, SpawnFailure> Spawn(SpawnRequest* request, Starter* starter, int null_device,
                                          const ChildStack& stack);

}  // namespace quiesce
