// Where this process stands in the cgroup v2 hierarchy, on the unified layout and on the hybrid one beside v1.
#pragma once

#include <string>
#include <string_view>

#include "os/result.h"

namespace quiesce {

// The absolute path of this process's own cgroup v2 folder. The error's path tells what was looked at: ENOENT when
// there is no such mount, EXDEV when the folder lies outside what is mounted here.
Result<std::string> FindOwnCgroup();

// The same from the texts of /proc/self/cgroup and /proc/self/mountinfo.
Result<std::string> LocateCgroup(std::string_view memberships, std::string_view mounts);

}  // namespace quiesce
