// Commands under supervisors, and what the kernel tells of them.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>

#include "range/supervisor_range.h"

namespace quiesce::testing {

std::shared_ptr<RangeSource> Supervisors(HostCrash host_crash = HostCrash::kEnd);

// A field of /proc/PID/stat: the state and the parent. 'X' and 0 once it is gone.
char StateOf(pid_t pid);
pid_t ParentOf(pid_t pid);

bool IsRunning(pid_t pid);

// Until `condition` says true; false after half a minute.
bool Eventually(const std::function<bool()>& condition);

}  // namespace quiesce::testing
