#include "spawn/process_limits.h"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "os/sys.h"

namespace quiesce {

std::optional<SpawnFailure> PlanLimits(const ProcessLimits& limits, ChildPlan* plan) {
  struct Wanted {
    Limit limit;
    int resource;
    uint64_t value;
    uint64_t beyond;  // from the soft limit to the hard one
  };
  // A process that has used up its CPU time gets SIGXCPU, which it may handle, and a second later SIGKILL.
  const Wanted all[] = {{Limit::kCpuSeconds, RLIMIT_CPU, limits.cpu_seconds, 1},
                        {Limit::kFileBytes, RLIMIT_FSIZE, limits.file_bytes, 0},
                        {Limit::kOpenFiles, RLIMIT_NOFILE, limits.open_files, 0}};
  for (const Wanted& wanted : all) {
    if (wanted.value == 0) continue;
    sys::Rlimit host{};
    if (sys::GetLimit(wanted.resource, &host) == -1) {
      return SpawnFailure{SpawnStage::kLimits, errno, {}, NameOf(wanted.limit)};
    }
    if (wanted.value > host.hard) {
      return SpawnFailure{SpawnStage::kLimits, EPERM, std::to_string(host.hard), NameOf(wanted.limit)};
    }
    const uint64_t hard = std::min(wanted.value + wanted.beyond, host.hard);
    plan->limits[plan->limit_count++] = {wanted.limit, wanted.resource, {wanted.value, hard}};
  }
  return std::nullopt;
}

}  // namespace quiesce
