// Signals to processes outside.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attack.h"

static pid_t Victim(void) { return (pid_t)TargetNumber("VICTIM"); }

static bool Terminate(void) { return !kill(Victim(), SIGTERM); }
static bool Kill(void) { return !kill(Victim(), SIGKILL); }
static bool Stop(void) { return !kill(Victim(), SIGSTOP); }
static bool Group(void) { return !kill(-Victim(), SIGTERM); }
static bool Everyone(void) { return !kill(-1, SIGTERM); }
static bool Thread(void) { return !syscall(SYS_tgkill, Victim(), Victim(), SIGTERM); }
static bool Bare(void) { return !kill((pid_t)TargetNumber("BARE"), SIGTERM); }
static bool Host(void) { return !kill((pid_t)TargetNumber("HOST"), SIGUSR2); }
static bool Queue(void) { return !sigqueue(Victim(), SIGTERM, (union sigval){.sival_int = 1}); }

static bool ByPidfd(void) {
  int pidfd = (int)syscall(SYS_pidfd_open, Victim(), 0);
  return pidfd >= 0 && !syscall(SYS_pidfd_send_signal, pidfd, SIGTERM, NULL, 0);
}

/** The kernel sends it to the owner of a pipe in which something happens. */
static bool ByOwner(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) || fcntl(ends[0], F_SETOWN, Victim()) || fcntl(ends[0], F_SETSIG, SIGTERM)) return false;
  return !fcntl(ends[0], F_SETFL, O_ASYNC) && write(ends[1], "x", 1) == 1;
}

const Attack kSignalAttacks[] = {
    {"signal-term", Terminate, kAnyone, kSeenByChange, "TERM to an outside process"},
    {"signal-kill", Kill, kAnyone, kSeenByChange, "KILL to it"},
    {"signal-stop", Stop, kAnyone, kSeenByChange, "STOP to it"},
    {"signal-group", Group, kAnyone, kSeenByChange, "TERM to its process group"},
    {"signal-everyone", Everyone, kAnyone, kSeenByChange, "TERM to every process"},
    {"signal-thread", Thread, kAnyone, kSeenByChange, "tgkill(2)"},
    {"signal-queue", Queue, kAnyone, kSeenByChange, "sigqueue(3)"},
    {"signal-by-pidfd", ByPidfd, kAnyone, kSeenByChange, "pidfd_send_signal(2)"},
    {"signal-by-owner", ByOwner, kAnyone, kSeenByChange, "makes it the owner of a pipe, which then signals"},
    {"signal-bare", Bare, kAnyone, kSeenByChange, "TERM to an outside process without capabilities"},
    {"signal-host", Host, kRootOnly, kSeenByChange, "signals the host process"},
    {0},
};
