// The files of /proc that belong to no process: the settings of the kernel. Root stays root for them in a user
// namespace too, so they become read-only while the files of a process stay writable (oom_score_adj, comm, uid_map).
#pragma once

#include <string>
#include <vector>

#include "os/result.h"
#include "os/unique_fd.h"

namespace quiesce {

class ProcMasks {
 public:
  // Copies whatever has a write bit, and every folder. To be called while /proc is still as it was.
  static Result<ProcMasks> Collect();

  // Puts the copies back, read-only.
  [[nodiscard]] Status Attach();

 private:
  struct Mask {
    std::string path;
    UniqueFd tree;
  };
  std::vector<Mask> masks_;
};

}  // namespace quiesce
