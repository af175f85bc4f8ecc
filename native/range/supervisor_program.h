// What every supervisor of one source is started from: opened once, by descriptor, so that it can be executed wherever
// a confinement leads, and nobody can put another program in its place.
#pragma once

#include <string>

#include "os/result.h"
#include "os/unique_fd.h"
#include "range/host_crash.h"

namespace quiesce {

struct SupervisorProgram {
  // `path` is quiesce-supervisor; it need not be executable.
  static Result<SupervisorProgram> Open(const std::string& path, HostCrash host_crash);

  UniqueFd executable;    // at least kFirstFreeDescriptor
  UniqueFd host;          // a pidfd of this process, at least kFirstFreeDescriptor
  std::string oom_score;  // this process's own; empty if it cannot be read
  HostCrash host_crash = HostCrash::kEnd;
};

}  // namespace quiesce
