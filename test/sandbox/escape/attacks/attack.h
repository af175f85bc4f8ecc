// One attempt to change or read what lies outside of a sandbox. Each family of attacks is a table in a file of its own;
// main.c runs one attack by its name. What an attack aims at is named by the environment, ATTACK_<NAME>, set by the
// arena.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Who can make an attack at all, confined or not, and where it is none. */
typedef enum {
  kAnyone = 0,
  kRootOnly = 1,
  kUserOnly = 2,
  /** In workspace-write it is what a command may do. */
  kReadOnlyMode = 4,
  /** Aims at a hidden path. */
  kHiding = 8,
  /** What is shared with others needs a writable workspace. */
  kWritableMode = 16,
} AttackLimits;

/** How whoever runs the attack sees that it got through. */
typedef enum {
  /** Something outside differs from before. */
  kSeenByChange,
  /** The secret stands in what the attack printed. */
  kSeenBySecret,
  /** What it reached belongs to the whole machine, so it only set what was set before: the attack's own word. */
  kSeenByWord,
} AttackSign;

typedef struct {
  const char* name;
  /** True if it believes that it got through. */
  bool (*run)(void);
  AttackLimits limits;
  AttackSign sign;
  const char* what;
} Attack;

/** Each ends with an entry without a name. */
extern const Attack kFileAttacks[], kLinkAttacks[], kMetadataAttacks[], kDeviceAttacks[], kMountAttacks[],
    kNestedAttacks[], kProcessFileAttacks[], kProcessCallAttacks[], kSignalAttacks[], kScheduleAttacks[],
    kSettingAttacks[], kCgroupAttacks[], kDescriptorAttacks[], kRingAttacks[], kPrivilegeAttacks[], kSocketAttacks[],
    kSharedMemoryAttacks[], kHiddenAttacks[];

/** The value of ATTACK_<name>; without it the program ends with 4. */
const char* Target(const char* name);
long TargetNumber(const char* name);

/** Paths in the folder outside and in the workspace; good for the next eight calls. */
const char* Outside(const char* name);
const char* Inside(const char* name);
const char* Path(const char* format, ...) __attribute__((format(printf, 1, 2)));

/** Opens and writes a few bytes. */
bool WriteTo(const char* path);
bool WriteText(const char* path, const char* text);
bool WriteAt(int folder, const char* path);
/** Writes into an open file and closes it. */
bool WriteInto(int fd);
/** Prints what the file begins with. */
bool PrintFile(const char* path);
/** Reads a line, and writes the same to it again. */
bool WriteBack(const char* path);

/** Runs in a child, since it would change what follows; false also when the child was killed. */
bool InChild(bool (*run)(void));
