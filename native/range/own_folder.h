// The cgroup folder of one runtime, in which the folders of its commands are: how it is named, how it is known whether
// its runtime still lives, and what is done about one whose runtime does not.
//
// A runtime holds an exclusive flock on its folder for as long as it lives, and its guardian holds it too. The kernel
// gives it back when the last of them has ended, however that came. A process number would not do: the hierarchy is
// shared between namespaces of processes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "range/cgroup_folder.h"
#include "range/host_crash.h"

namespace quiesce {

// The name says that the folder is locked by its owner, so that one of a version that locks nothing is never taken for
// ownerless, and what is to become of it.
std::string OwnFolderName(unsigned number, HostCrash host_crash);
// Nothing if it is no such name.
std::optional<HostCrash> ReadOwnFolderName(std::string_view name);

// Makes one below `parent` (borrowed) and locks it; `number` is counted up until a name is free.
Result<CgroupFolder> MakeOwnFolder(int parent, unsigned (*number)(), HostCrash host_crash);

// Ends and removes the folders below `parent` whose owners are dead, except that those which were to be left are only
// removed, and only once they are empty. Blocks for a moment for each.
void SweepOwnFolders(int parent);

}  // namespace quiesce
