// What `quiesce-runner prepare` answers over its socket, one message: this header, one identity for each writable root
// that has a mount of its own, and the descriptors as SCM_RIGHTS in the order of ReplyDescriptor, then one for each
// identity. Both ends come from one build, so the layout is the compiler's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quiesce {

inline constexpr uint32_t kReplyMagic = 0x71507231;  // "qPr1"

enum ReplyDescriptor : size_t {
  kReplyUser,
  kReplyNetwork,
  kReplyIpc,
  kReplyMount,
  kReplyRuleset,
  kReplyMountTable,  // mountinfo of the new namespace: POLLPRI when one of its mounts goes away
  kReplyDescriptors
};

// A mount, an inode and a device are sure proof for as long as the descriptor that came along is open: it keeps the
// inode number from being used again. It leads through the new mount and so keeps no mount of the host busy.
struct ReplyRoot {
  uint32_t device_major;
  uint32_t device_minor;
  uint64_t inode;
  uint64_t mount;
  uint32_t argument;  // which --rw it was, from 0
  uint32_t reserved;
};

struct ReplyHeader {
  uint32_t magic;
  uint32_t root_count;
  uint32_t present;  // a bit for each ReplyDescriptor that came along
  uint32_t reserved;
};

// Linux passes at most 253 descriptors at once (SCM_MAX_FD).
inline constexpr size_t kMostReplyRoots = 128;
inline constexpr size_t kMostReplyFds = kReplyDescriptors + kMostReplyRoots;

}  // namespace quiesce
