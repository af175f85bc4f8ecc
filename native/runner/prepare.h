// `quiesce-runner prepare`: builds the confinement of one policy and hands it over, for a host that puts its commands
// in there by itself. The layout of the answer is native/prepared/reply.h.
#pragma once

#include "confine/policy.h"
#include "os/result.h"

namespace quiesce {

// Moves this single-threaded process into new namespaces, builds what `confine` would build for each command, and sends
// the descriptors over `socket`. They stay alive with whoever receives them. `policy.writable_roots` are as they were
// given. Only what is confined in full is handed over: without namespaces or without Landlock this fails.
[[nodiscard]] Status PrepareAndHandOver(ConfinePolicy policy, int socket);

}  // namespace quiesce
