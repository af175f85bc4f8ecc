// A /dev of its own: the harmless devices, new terminals, new shared memory, and no other device at all.
#pragma once

#include <string>
#include <vector>

#include "os/result.h"
#include "os/unique_fd.h"

namespace quiesce {

class DeviceFolder {
 public:
  // Copies the devices of the /dev that is there, each read-only: it can still be written to, but no longer changed
  // its mode, which is the host's. To be called before devices stop working everywhere. One that is missing is left
  // out.
  static Result<DeviceFolder> Collect();

  // Mounts the new folder over /dev.
  [[nodiscard]] Status Build();

 private:
  struct Device {
    std::string path;
    UniqueFd tree;
  };
  std::vector<Device> devices_;
};

}  // namespace quiesce
