// The calls of Landlock, which libc has no wrappers for, with the constants of linux/landlock.h: the headers may know
// less than the kernel that this runs on, which is asked at run time.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_landlock_add_rule
#define SYS_landlock_add_rule 445
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

namespace quiesce::sys {

// LANDLOCK_ACCESS_FS_*: those that change something
inline constexpr uint64_t kLandlockWriteFile = 1U << 1;
inline constexpr uint64_t kLandlockRemoveAndMake = 0x1ff0;  // REMOVE_DIR to MAKE_SYM
inline constexpr uint64_t kLandlockMakeDevice = 1U << 6 | 1U << 11;
inline constexpr uint64_t kLandlockRefer = 1U << 13;          // ABI 2
inline constexpr uint64_t kLandlockTruncate = 1U << 14;       // ABI 3
inline constexpr uint64_t kLandlockControlDevice = 1U << 15;  // ABI 5, IOCTL_DEV

// LANDLOCK_SCOPE_*: ABI 6
inline constexpr uint64_t kLandlockScopeAbstractSocket = 1U << 0;
inline constexpr uint64_t kLandlockScopeSignal = 1U << 1;

// struct landlock_ruleset_attr as of ABI 6. Older kernels take it too as long as what they do not know is 0.
struct LandlockRuleset {
  uint64_t handled_files = 0;
  uint64_t handled_network = 0;
  uint64_t scoped = 0;
};

struct LandlockPathRule {
  uint64_t allowed;
  int32_t path;
} __attribute__((packed));
static_assert(sizeof(LandlockPathRule) == 12);

// -1 where there is no Landlock or it is not enabled.
inline int LandlockVersion() {
  constexpr unsigned kVersion = 1;
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, size_t{0}, kVersion));
}

inline int LandlockCreate(const LandlockRuleset& ruleset) {
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0U));
}

inline int LandlockAllow(int ruleset, const LandlockPathRule& rule) {
  constexpr int kPathBeneath = 1;
  return static_cast<int>(syscall(SYS_landlock_add_rule, ruleset, kPathBeneath, &rule, 0U));
}

inline int LandlockRestrictSelf(int ruleset) {
  return static_cast<int>(syscall(SYS_landlock_restrict_self, ruleset, 0U));
}

}  // namespace quiesce::sys
