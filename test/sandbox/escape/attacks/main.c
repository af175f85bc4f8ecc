// attack NAME     makes one attack: prints that it began, and ends with 0 if it believes that it got through, else 1
// attack --list   prints the table of all: name, limits, sign and what it does, between tabs
// Refuses, with 3, in any namespace of the machine: unconfined, these attacks succeed.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attack.h"
#include "guard.h"

static const Attack* const kFamilies[] = {
    kFileAttacks,        kLinkAttacks,        kMetadataAttacks,  kDeviceAttacks,   kMountAttacks,        kNestedAttacks,
    kProcessFileAttacks, kProcessCallAttacks, kSignalAttacks,    kScheduleAttacks, kSettingAttacks,      kCgroupAttacks,
    kDescriptorAttacks,  kRingAttacks,        kPrivilegeAttacks, kSocketAttacks,   kSharedMemoryAttacks, kHiddenAttacks,
};
static const size_t kFamilyCount = sizeof kFamilies / sizeof *kFamilies;

static const Attack* Find(const char* name) {
  for (size_t family = 0; family < kFamilyCount; family++)
    for (const Attack* attack = kFamilies[family]; attack->name; attack++)
      if (!strcmp(attack->name, name)) return attack;
  return NULL;
}

static int List(void) {
  for (size_t family = 0; family < kFamilyCount; family++)
    for (const Attack* attack = kFamilies[family]; attack->name; attack++)
      printf("%s\t%d\t%d\t%s\n", attack->name, attack->limits, attack->sign, attack->what);
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 2 && !strcmp(argv[1], "--list")) return List();
  const Attack* attack = argc == 2 ? Find(argv[1]) : NULL;
  if (!attack) {
    fprintf(stderr, "attack: no such attack\n");
    return 2;
  }
  const char* refusal = WhyNotHere();
  if (refusal) {
    fprintf(stderr, "attack: refused: %s\n", refusal);
    return 3;
  }
  printf("began %s\n", attack->name);
  fflush(stdout);
  errno = 0;
  bool reached = attack->run();
  if (!reached) printf("%s\n", strerror(errno));
  return reached ? 0 : 1;
}
