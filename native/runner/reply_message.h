// The answer of `prepare` while it is put together. The layout is native/prepared/reply.h.
#pragma once

#include <vector>

#include "os/result.h"
#include "os/unique_fd.h"
#include "prepared/reply.h"

namespace quiesce {

class ReplyMessage {
 public:
  // In the order of ReplyDescriptor, all of them before the first root.
  void Add(ReplyDescriptor kind, UniqueFd fd);
  void AddRoot(const ReplyRoot& root, UniqueFd pin);

  // One message. The receiver has copies of the descriptors then.
  [[nodiscard]] Status Send(int socket) const;

 private:
  uint32_t present_ = 0;
  std::vector<ReplyRoot> roots_;
  std::vector<UniqueFd> descriptors_;
};

}  // namespace quiesce
