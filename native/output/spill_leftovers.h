// What is left of a folder of spill files when its host was killed. Two marks in the folder tell what to do about it,
// and src/subprocess/local/spill-leftovers.ts sets and reads the same:
// - the symbolic link `owner`, which leads nowhere, names the boot, the namespace of processes and the process of the
//   host. A number means something only together with the other two. A folder without it is nobody's business: its host
//   has taken leave of it in good order, or is of a version that sets no mark.
// - a file that nobody has claimed has the sticky bit, which Linux gives no meaning for files.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace quiesce {

inline constexpr mode_t kUnclaimedMode = 01600;
inline constexpr const char* kOwnerMark = "owner";

// Of this process; empty where /proc does not tell. Such a folder is never swept.
std::string SpillOwner();

// Whether a process with this mark has surely ended: false also for one that cannot be seen from here.
bool IsDeadOwner(std::string_view mark);

// Whether the folder at `path` is there with the mark of an owner, whoever that is.
bool HasSpillOwner(const char* path);

// Removes the mark: what is left in the folder belongs to others from now on.
void DisownSpillFolder(const char* path);

// Removes what nobody has claimed, the mark, and the folder if that empties it. Only of this user, and no link is
// followed.
void RemoveSpillLeftovers(const char* path);

// The same for every such folder below `parent` whose owner is dead.
void SweepSpillFolders(const char* parent);

}  // namespace quiesce
