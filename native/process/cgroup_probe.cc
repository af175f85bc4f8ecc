#include "process/cgroup_probe.h"

#include "process/range_probe.h"
#include "range/cgroup_range.h"

namespace quiesce {

Status ProbeCgroup(const std::string& parent) {
  CgroupRangeSource source(parent);
  return ProbeRanges(source);
}

}  // namespace quiesce
