// All steps of confinement in their order, for a process that is about to execute the command.
#pragma once

#include <string>
#include <vector>

#include "confine/policy.h"
#include "os/result.h"

namespace quiesce {

// What the confinement of this host does not cover, of what it covers in full. No entry holds a semicolon.
struct Enforcement {
  bool in_namespaces = false;
  std::vector<const char*> not_governed;

  [[nodiscard]] bool full() const { return not_governed.empty(); }
};

// What is left open with these means; `landlock_abi` 0 is none.
Enforcement EnforcementOf(bool in_namespaces, int landlock_abi);

// Confines this single-threaded process for good. Where the host allows no namespaces and the policy can do without,
// Landlock alone confines. After an error the process must not go on: it may be confined in part. Needs the policy's
// writable roots canonical. The capabilities go with the execve that follows.
Result<Enforcement> ConfineSelf(const ConfinePolicy& policy);

}  // namespace quiesce
