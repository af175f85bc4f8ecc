// A plain C reader of one flooding command: a pipe, posix_spawn, and read into one 64 KiB buffer until the end.
//
//   reader PROGRAM [ARG...]      prints the bytes read and the seconds from before the start to the reaped exit

#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

static char buffer[1 << 16];

static double Now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: reader PROGRAM [ARG...]\n");
    return 2;
  }
  double begin = Now();
  int out[2];
  if (pipe2(out, O_CLOEXEC)) return 1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  pid_t pid;
  if (posix_spawnp(&pid, argv[1], &actions, NULL, argv + 1, environ)) return 1;
  close(out[1]);

  long long total = 0;
  ssize_t count;
  while ((count = read(out[0], buffer, sizeof buffer)) > 0) total += count;
  int status;
  if (waitpid(pid, &status, 0) != pid || status != 0) return 1;
  printf("%lld %.6f\n", total, Now() - begin);
  return 0;
}
