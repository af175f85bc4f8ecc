// A plain C reader of one flooding command: a pipe, posix_spawn, and read into one 64 KiB buffer until the end.
//
//   reader FILE PROGRAM [ARG...]      prints the bytes read and the seconds from before the start to the reaped exit
//
// FILE gets all that was read; `-` is none.

#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
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
  if (argc < 3) {
    fprintf(stderr, "usage: reader FILE PROGRAM [ARG...]\n");
    return 2;
  }
  double begin = Now();
  int file = -1;
  if (strcmp(argv[1], "-") != 0) {
    file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return 1;
  }
  int out[2];
  if (pipe2(out, O_CLOEXEC)) return 1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  pid_t pid;
  if (posix_spawnp(&pid, argv[2], &actions, NULL, argv + 2, environ)) return 1;
  close(out[1]);

  long long total = 0;
  ssize_t count;
  while ((count = read(out[0], buffer, sizeof buffer)) > 0) {
    total += count;
    if (file >= 0 && write(file, buffer, (size_t)count) != count) return 1;
  }
  int status;
  if (waitpid(pid, &status, 0) != pid || status != 0) return 1;
  printf("%lld %.6f\n", total, Now() - begin);
  return 0;
}
