// Takes the answer of a preparing program from its socket and makes owned descriptors and checked numbers of it. Trusts
// nothing: whatever does not fit together is an error, and every descriptor that came along is closed.
#pragma once

#include <array>
#include <vector>

#include "os/result.h"
#include "os/unique_fd.h"
#include "prepared/reply.h"

namespace quiesce {

struct Reply {
  std::array<UniqueFd, kReplyDescriptors> descriptors;  // invalid: not there
  std::vector<ReplyRoot> roots;
  std::vector<UniqueFd> pins;  // one for each root
};

// Does not block. Every descriptor is at least kFirstFreeDescriptor. ENODATA: the other end closed without an answer;
// EPROTO: no answer of this build; EMFILE: descriptors were lost because the host has no room for them.
Result<Reply> ReadReply(int socket);

}  // namespace quiesce
