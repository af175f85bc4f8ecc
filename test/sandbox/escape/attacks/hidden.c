// Paths of the workspace that the policy hides: a folder and a file.
#include <errno.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

#include "attack.h"

static bool ReadFolder(void) { return PrintFile(Inside("hidden/secret")); }
static bool ReadFile(void) { return PrintFile(Inside(".hidden")); }
static bool ThroughRoot(void) { return PrintFile(Path("/proc/self/root%s", Inside(".hidden"))); }
static bool ThroughLink(void) { return !symlink("hidden", Inside("made")) && PrintFile(Inside("made/secret")); }
static bool Rename(void) { return !rename(Inside("hidden"), Inside("shown")); }
static bool RenameParent(void) {
  return !rename(Inside("deep"), Inside("moved")) && PrintFile(Inside("moved/hidden/secret"));
}
static bool Remove(void) { return !unlink(Inside(".hidden")); }
static bool Link(void) { return !link(Inside(".hidden"), Inside("made")) && PrintFile(Inside("made")); }

static bool Uncover(void) {
  (void)umount2(Inside("hidden"), MNT_DETACH);
  return PrintFile(Inside("hidden/secret"));
}

#define HIDING(more) (AttackLimits)(kHiding | (more))

const Attack kHiddenAttacks[] = {
    {"hidden-folder", ReadFolder, kHiding, kSeenBySecret, "reads a file of a hidden folder"},
    {"hidden-file", ReadFile, kHiding, kSeenBySecret, "reads a hidden file"},
    {"hidden-by-root", ThroughRoot, kHiding, kSeenBySecret, "reads it through /proc/self/root"},
    {"hidden-by-link", ThroughLink, HIDING(kWritableMode), kSeenBySecret, "reads it through a symlink"},
    {"hidden-by-hard-link", Link, HIDING(kWritableMode), kSeenBySecret, "reads it through a hard link"},
    {"hidden-renamed", Rename, HIDING(kWritableMode), kSeenByChange, "renames a hidden folder"},
    {"hidden-parent-renamed", RenameParent, HIDING(kWritableMode), kSeenBySecret, "renames the folder that holds one"},
    {"hidden-removed", Remove, HIDING(kWritableMode), kSeenByChange, "removes a hidden file"},
    {"hidden-uncovered", Uncover, HIDING(kRootOnly), kSeenBySecret, "unmounts what hides a folder"},
    {0},
};
