// What a command inherits from the host when the host itself clones it. One that a launcher clones has it from the
// launcher, as it was at that one's start, unless it is told.
#pragma once

#include <sys/types.h>

#include <string_view>
#include <vector>

#include "spawn/child.h"

namespace quiesce {

// Umask and limits, as they are now.
InheritedSettings ReadHostSettings();

// From the text of /proc/self/status; the usual 022 where it does not say (kernel < 4.7).
mode_t ParseUmask(std::string_view status);

// What nobody can be told: a launcher that was started as somebody else must not be used.
struct HostIds {
  uid_t users[3];
  gid_t groups[3];
  std::vector<gid_t> more_groups;
  dev_t root_device;
  ino_t root_inode;

  bool operator==(const HostIds&) const = default;
};

HostIds ReadHostIds();

}  // namespace quiesce
