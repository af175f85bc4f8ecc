// The text of /proc/PID/mountinfo.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quiesce {

struct MountInfo {
  std::string root;   // the folder of the file system that is mounted
  std::string point;  // where
  std::string type;   // of the file system

  bool operator==(const MountInfo&) const = default;
};

// In the order of the text. A line that is none of the format is left out.
std::vector<MountInfo> ParseMountInfo(std::string_view text);

}  // namespace quiesce
