// What the starter left open: descriptors 3 (a file outside, for writing) and 4 (the folder outside), and a standard
// input that is a file outside, open for reading, or for one of them the null device.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attack.h"

static bool InheritedFile(void) { return write(3, "attacked", 8) == 8; }
static bool InheritedFolder(void) { return WriteAt(4, "f"); }
static bool InheritedFolderParent(void) { return WriteAt(4, "../out/g"); }
static bool Reopen(void) { return WriteTo("/proc/self/fd/0"); }
static bool Mode(void) { return !fchmod(STDIN_FILENO, 0777); }

static bool Times(void) {
  struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
  return !futimens(STDIN_FILENO, times);
}

static bool ModeOfNull(void) { return !fchmod(STDIN_FILENO, 0600); }

const Attack kDescriptorAttacks[] = {
    {"inherited-file", InheritedFile, kAnyone, kSeenByChange, "writes to an inherited descriptor"},
    {"inherited-folder", InheritedFolder, kAnyone, kSeenByChange, "opens a file below an inherited folder"},
    {"inherited-folder-parent", InheritedFolderParent, kAnyone, kSeenByChange, "leaves an inherited folder by .."},
    {"reopened-input", Reopen, kAnyone, kSeenByChange, "opens its standard input again, for writing"},
    {"input-mode", Mode, kAnyone, kSeenByChange, "chmod of the file that is its standard input"},
    {"input-times", Times, kAnyone, kSeenByChange, "sets the times of that file"},
    {"null-by-input", ModeOfNull, kRootOnly, kSeenByChange, "chmod of /dev/null by a standard input that is it"},
    {0},
};
