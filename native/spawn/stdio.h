// The descriptors of one command: both ends of every stream, made before the clone. The command's ends are blocking
// pipes.
#pragma once

#include <string>
#include <vector>

#include "os/result.h"
#include "os/unique_fd.h"
#include "spawn/child.h"
#include "spawn/spawn_request.h"

namespace quiesce {

// What the host keeps. Invalid where the command has no such stream.
struct HostStreams {
  UniqueFd input;  // what is left of the data to be written; non-blocking
  std::string remaining_data;
  UniqueFd output;  // non-blocking
  UniqueFd error;   // non-blocking
};

class Stdio {
 public:
  // Takes the descriptors and the data out of `request`. `null_device` is borrowed.
  static Result<Stdio> Open(SpawnRequest* request, int null_device);

  // Enters what the child must dup and close into `plan`; the sources stay open as long as this object lives.
  void FillPlan(ChildPlan* plan) const;

  HostStreams TakeHostStreams() { return std::move(host_); }

 private:
  struct Source {
    UniqueFd owned;
    int fd;
    int target;
  };

  [[nodiscard]] Status Add(UniqueFd owned, int target);
  void AddBorrowed(int fd, int target) { sources_.push_back({UniqueFd(), fd, target}); }
  [[nodiscard]] Status OpenStreams(SpawnRequest* request, int null_device);
  [[nodiscard]] Status OpenTerminal(UniqueFd terminal);
  [[nodiscard]] Status OpenInput(InputRequest* request, int null_device);
  [[nodiscard]] Status OpenOutput(OutputRequest* request, int null_device, int target, UniqueFd* reader);

  std::vector<Source> sources_;
  HostStreams host_;
  bool terminal_ = false;
};

}  // namespace quiesce
