// The calls that work on trees of mounts, which libc has no wrappers for, with the constants of linux/mount.h: the
// headers may be older than the kernel, and those of libc and of the kernel do not go together everywhere.
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#ifndef SYS_open_tree
#define SYS_open_tree 428
#endif
#ifndef SYS_move_mount
#define SYS_move_mount 429
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif

namespace quiesce::sys {

inline constexpr uint64_t kMountReadOnly = 0x1;
inline constexpr uint64_t kMountNoDevices = 0x4;
inline constexpr unsigned kRecursive = 0x8000;
inline constexpr unsigned kEmptyPath = 0x1000;

// struct mount_attr, its first published size
struct MountAttributes {
  uint64_t set = 0;
  uint64_t clear = 0;
  uint64_t propagation = 0;
  uint64_t user_namespace = 0;
};
static_assert(sizeof(MountAttributes) == 32);

// A detached copy of what is mounted at `path`. Kernel 5.2.
inline int OpenTreeCopy(const char* path, unsigned flags) {
  constexpr unsigned kClone = 1;
  return static_cast<int>(syscall(SYS_open_tree, AT_FDCWD, path, flags | kClone | static_cast<unsigned>(O_CLOEXEC)));
}

// Kernel 5.2.
inline int MoveTree(int tree, const char* path) {
  constexpr unsigned kFromEmptyPath = 4;
  return static_cast<int>(syscall(SYS_move_mount, tree, "", AT_FDCWD, path, kFromEmptyPath));
}

// Kernel 5.12.
inline int SetMountAttributes(int folder, const char* path, unsigned flags, const MountAttributes& attributes) {
  return static_cast<int>(syscall(SYS_mount_setattr, folder, path, flags, &attributes, sizeof attributes));
}

}  // namespace quiesce::sys
