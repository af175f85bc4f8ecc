// A process outside that attacks aim at. It runs in the folder outside, holds a file of it open as descriptor 9, and
// keeps the secret in its memory and environment. It prints where its things are, then its state for each line that it
// reads, and ends with its input.
//   victim plain | bare | shares     bare: without capabilities; shares: with sockets, shared memory and the like
#include <err.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "shares.h"

static char secret[64];
static volatile sig_atomic_t signals;

static void Note(int number) {
  (void)number;
  signals++;
}

static void NoteSignals(void) {
  struct sigaction action = {.sa_handler = Note, .sa_flags = SA_RESTART};
  const int numbers[] = {SIGTERM, SIGHUP, SIGINT, SIGUSR1, SIGUSR2, SIGIO};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, NULL);
}

static void DropCapabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0}};
  if (syscall(SYS_capset, &header, none)) err(1, "capset");
}

static void PrintState(int has_shares) {
  printf("{\"memory\":\"%s\",\"signals\":%d", secret, (int)signals);
  printf(",\"policy\":%d,\"diskClass\":%ld", sched_getscheduler(0), syscall(SYS_ioprio_get, 1, 0));
  if (has_shares) PrintStateOfShares();
  printf("}\n");
  fflush(stdout);
}

int main(int argc, char** argv) {
  const char* role = argc == 2 ? argv[1] : "plain";
  int has_shares = !strcmp(role, "shares");
  const char* value = getenv("ARENA_SECRET");
  if (!value) errx(2, "no ARENA_SECRET");
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  snprintf(secret, sizeof secret, "%s", value);
  int fd = open("f", O_RDWR | O_CLOEXEC);
  if (strcmp(role, "plain") && (fd < 0 || dup3(fd, 9, O_CLOEXEC) != 9)) err(1, "f");
  NoteSignals();
  if (!strcmp(role, "bare")) DropCapabilities();
  if (has_shares && fsetxattr(fd, "user.kept", "1", 1, 0)) warn("fsetxattr");
  if (has_shares) MakeShares();
  printf("{\"ADDRESS\":\"%#lx\"", (unsigned long)secret);
  if (has_shares) PrintShares();
  printf("}\n");
  fflush(stdout);
  for (char line[16]; fgets(line, sizeof line, stdin);) PrintState(has_shares);
  return 0;
}
