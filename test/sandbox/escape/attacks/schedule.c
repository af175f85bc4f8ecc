// Limits and scheduling of processes outside.
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attack.h"

static pid_t Victim(void) { return (pid_t)TargetNumber("VICTIM"); }

static bool Limit(void) {
  struct rlimit none = {0, 0};
  return !prlimit(Victim(), RLIMIT_CORE, &none, NULL);
}

static bool Nice(void) { return !setpriority(PRIO_PROCESS, (id_t)Victim(), 11); }

static bool Affinity(void) {
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  return !sched_setaffinity(Victim(), sizeof first, &first);
}

static bool Policy(void) {
  struct sched_param parameter = {0};
  return !sched_setscheduler(Victim(), SCHED_BATCH, &parameter);
}

/** IOPRIO_WHO_PROCESS, class idle: ioprio_set(2). */
static bool Disk(void) { return !syscall(SYS_ioprio_set, 1, Victim(), 3 << 13); }

static bool Oom(void) { return WriteText(Path("/proc/%d/oom_score_adj", Victim()), "777"); }

const Attack kScheduleAttacks[] = {
    {"process-limit", Limit, kAnyone, kSeenByChange, "sets a limit of an outside process by prlimit(2)"},
    {"process-nice", Nice, kAnyone, kSeenByChange, "makes it slower by setpriority(2)"},
    {"process-affinity", Affinity, kAnyone, kSeenByChange, "binds it to one processor"},
    {"process-policy", Policy, kAnyone, kSeenByChange, "sets its scheduling policy"},
    {"process-disk-class", Disk, kAnyone, kSeenByChange, "sets its class of disk access"},
    {"process-oom-score", Oom, kAnyone, kSeenByChange, "makes it the first that the kernel kills without memory"},
    {0},
};
