// What a policy depends on in the host itself: whoever the host is no longer must not use what it prepared.
#pragma once

#include <cstdint>
#include <vector>

#include "os/result.h"
#include "prepared/path_identity.h"

namespace quiesce {

struct HostIdentity {
  uint32_t user = 0;          // effective: the owner of the user namespace
  uint64_t capabilities = 0;  // permitted, of the calling thread
  PathIdentity root;          // a chroot changes it

  bool operator==(const HostIdentity&) const = default;
};

Result<HostIdentity> ReadHostIdentity();

// The bounding set of a command is full again once it has entered a new user namespace. This is what must go then: all
// but what concerns files and users, and all that the host itself has not. Empty for an ordinary user.
std::vector<uint8_t> CapabilitiesToDrop(const HostIdentity& host);

}  // namespace quiesce
