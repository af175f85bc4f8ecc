// Control groups outside: the group of another process, which the arena made for that, owned by the attacker.
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attack.h"

static const char* Cage(const char* file) { return Path("%s/%s", Target("CAGE"), file); }

static bool Make(void) { return !mkdir(Cage("made"), 0700); }
static bool Remove(void) { return !rmdir(Cage("empty")); }
static bool Move(void) { return WriteText(Cage("empty/cgroup.procs"), Target("CAGED")); }
static bool Join(void) { return WriteText(Cage("cgroup.procs"), Path("%d", getpid())); }
static bool Freeze(void) { return WriteText(Cage("cgroup.freeze"), "1"); }
static bool Kill(void) { return WriteText(Cage("cgroup.kill"), "1"); }
static bool Limit(void) { return WriteText(Cage("cgroup.max.depth"), "3"); }

const Attack kCgroupAttacks[] = {
    {"cgroup-made", Make, kAnyone, kSeenByChange, "makes a control group"},
    {"cgroup-removed", Remove, kAnyone, kSeenByChange, "removes one"},
    {"cgroup-move", Move, kAnyone, kSeenByChange, "moves an outside process to another one"},
    {"cgroup-joined", Join, kRootOnly, kSeenByWord, "moves itself to one outside, away from its limits"},
    {"cgroup-freeze", Freeze, kAnyone, kSeenByChange, "stops the processes of one"},
    {"cgroup-kill", Kill, kAnyone, kSeenByChange, "kills the processes of one"},
    {"cgroup-setting", Limit, kAnyone, kSeenByChange, "changes a setting of one"},
    {0},
};
