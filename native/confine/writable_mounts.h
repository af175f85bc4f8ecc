// The writable roots while everything else becomes read-only: copied before, put back after.
#pragma once

#include <string>
#include <vector>

#include "os/result.h"
#include "os/unique_fd.h"

namespace quiesce {

class WritableMounts {
 public:
  // `roots` are canonical. No device works in the copies.
  static Result<WritableMounts> Collect(const std::vector<std::string>& roots);

  // Puts the copies back where they were. Below a file system that is new by now, the places are made first.
  [[nodiscard]] Status Attach();

 private:
  struct Root {
    std::string path;
    UniqueFd tree;
  };
  std::vector<Root> roots_;
};

// For the writable root `/`, which has no place to be put back to: read-only become only the file systems through which
// the kernel is set up.
[[nodiscard]] Status ProtectControlFileSystems();

}  // namespace quiesce
