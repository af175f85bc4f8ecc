// A tree of COUNT processes, each with at most ten children, all of them asleep.
//
//   tree COUNT obey|ignore      prints a line when all of them are there; with `ignore` all ignore SIGTERM

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kFanOut = 10 };

// Every process of the tree writes one byte here.
static int arrivals[2];

static void Announce(void) {
  if (write(arrivals[1], "", 1) != 1) _exit(1);
}

// The calling process and the `count` processes below it, each subtree of about the same size.
static void Grow(int count) {
  int branches = count < kFanOut ? count : kFanOut;
  for (int branch = 0; branch < branches; branch++) {
    int below = (count - branch + branches - 1) / branches;
    pid_t pid = fork();
    if (pid < 0) _exit(1);
    if (pid == 0) {
      Announce();
      Grow(below - 1);
      for (;;) pause();
    }
  }
}

int main(int argc, char** argv) {
  int count = argc == 3 ? atoi(argv[1]) : 0;
  if (count < 1) {
    fprintf(stderr, "usage: tree COUNT obey|ignore\n");
    return 2;
  }
  if (strcmp(argv[2], "ignore") == 0) signal(SIGTERM, SIG_IGN);
  if (pipe2(arrivals, O_CLOEXEC)) return 1;
  Grow(count - 1);
  char byte;
  for (int arrived = 1; arrived < count; arrived++) {
    if (read(arrivals[0], &byte, 1) != 1) return 1;
  }
  puts("ready");
  fflush(stdout);
  for (;;) pause();
}
