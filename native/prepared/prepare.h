// Has `quiesce-runner prepare` build the confinement of one policy. Runs on a spawner thread and blocks for a few
// milliseconds; the program is started as every command is, so the size of the host does not matter.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "os/clock.h"
#include "prepared/policy_order.h"
#include "prepared/prepared_policy.h"
#include "spawn/child_stack.h"
#include "spawn/spawn_request.h"

namespace quiesce {

using Prepared = std::variant<std::unique_ptr<PreparedPolicy>, SpawnFailure>;

// What `latest` ends is killed. No process of the preparation is left in any case. `null_device` is borrowed.
Prepared Prepare(PolicyOrder order, int null_device, const ChildStack& stack, TimePoint latest);

// A preparation that failed with `error`; `text` is what the program said of it.
SpawnFailure PreparationFailure(int error, std::string text = {});

}  // namespace quiesce
