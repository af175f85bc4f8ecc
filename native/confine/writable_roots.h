// Which folders stay writable, in the form that the later steps rely on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "os/result.h"

namespace quiesce {

// Whether `path` is `folder` or below it; both canonical.
bool IsWithin(std::string_view path, std::string_view folder);

// Shortest first, and none below another: the copy of a root brings everything below it along, and a mount between two
// writable folders would keep files from being renamed from one to the other.
std::vector<std::string> OutermostRoots(std::vector<std::string> canonical);

// Symbolic links resolved, then OutermostRoots. With a private /tmp, /tmp itself is none of them. A root that does not
// exist is an error, and so is one in /dev, /proc or /sys (but for /dev/shm): it would give back what the confinement
// takes away. Blocking: looks at the file system.
Result<std::vector<std::string>> CanonicalRoots(const std::vector<std::string>& given, bool private_tmp);

}  // namespace quiesce
