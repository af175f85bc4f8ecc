// The place of the launcher in the cgroup tree: SCOPE/launcher holds the launcher itself, so that no process is in
// SCOPE and controllers can be enabled there; SCOPE/run holds a folder for each command.
#pragma once

#include <string>

#include "os/result.h"
#include "os/unique_fd.h"
#include "range/cgroup_folder.h"

namespace quiesce {

struct DelegatedScope {
  UniqueFd folder;
  CgroupFolder run;
};

// Moves this process into its sub-folder and makes `run`. ENOENT: it is not in the scope `unit`.
Result<DelegatedScope> EnterScope(const std::string& unit);

}  // namespace quiesce
