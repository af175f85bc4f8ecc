// What the library is measured against: one epoll thread in plain C that runs a program over and over for SECONDS
// seconds, CONCURRENCY at a time. Each command has a stdout and a stderr pipe that is read to its end, a pidfd, and
// with CGROUP=1 a cgroup v2 folder of its own (mkdir, CLONE_INTO_CGROUP, rmdir). Nothing is kept and nothing is
// decoded.
//
//   limit SECONDS CONCURRENCY CGROUP PROGRAM [ARG...]
//
// prints the commands per second, and the median and the 99th percentile of the milliseconds that one of them took.
//
// CGROUP_PARENT names the cgroup v2 folder to work below; by default the usual mount points are tried.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if !defined(__x86_64__)
#error "the clone3 call below is written for x86-64"
#endif

extern char** environ;

enum { kMaxConcurrency = 256, kStackSize = 1 << 16, kPathSize = 512, kMaxLatencies = 1 << 20 };

// What a registration in epoll is about; its tag is the slot of the command times kSourceCount plus this.
enum Source { kStdout, kStderr, kPidfd, kSourceCount };

struct Image {
  char** argv;
  int in;
  int out;
  int err;
};

struct Command {
  int fds[kSourceCount];
  int cgroup;
  int open_count;
  double start;
  char cgroup_path[kPathSize];
};

struct Plan {
  double seconds;
  int concurrency;
  const char* cgroup_parent;  // NULL: no cgroups
  char** argv;
  int null;
  int epoll;
};

static char child_stack[kStackSize] __attribute__((aligned(16)));
static char read_buffer[1 << 16];
static double latencies[kMaxLatencies];

static void Fail(const char* what) {
  perror(what);
  exit(1);
}

static double Now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// Runs on child_stack, in the memory of the parent, which is suspended until execve.
static void ChildMain(struct Image* image) {
  setsid();
  dup2(image->in, STDIN_FILENO);
  dup2(image->out, STDOUT_FILENO);
  dup2(image->err, STDERR_FILENO);
  execve(image->argv[0], image->argv, environ);
  _exit(127);
}

// The child must not return through this frame: it calls ChildMain on its own stack, straight after the system call.
static __attribute__((noinline)) long Clone(struct Image* image, int cgroup, int* pidfd) {
  struct clone_args args = {
      .flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | (cgroup >= 0 ? CLONE_INTO_CGROUP : 0),
      .pidfd = (unsigned long)pidfd,
      .exit_signal = SIGCHLD,
      .stack = (unsigned long)child_stack,
      .stack_size = sizeof child_stack,
      .cgroup = cgroup >= 0 ? (unsigned long)cgroup : 0,
  };
  long result;
  __asm__ volatile(
      "mov %2, %%rdi\n mov %3, %%rsi\n mov %4, %%r12\n mov %6, %%eax\n syscall\n"
      "test %%rax, %%rax\n jnz 1f\n mov %%r12, %%rdi\n call *%5\n1:\n"
      : "=a"(result)
      : "0"(0L), "r"(&args), "r"((long)sizeof args), "r"(image), "r"(ChildMain), "i"(SYS_clone3)
      : "rdi", "rsi", "r12", "rcx", "r11", "memory");
  return result;
}

static const char* CgroupParent(void) {
  const char* named = getenv("CGROUP_PARENT");
  if (named) return named;
  return access("/sys/fs/cgroup/unified/cgroup.procs", W_OK) == 0 ? "/sys/fs/cgroup/unified" : "/sys/fs/cgroup";
}

static void EnterNewCgroup(const struct Plan* plan, struct Command* command, long number) {
  command->cgroup = -1;
  if (!plan->cgroup_parent) return;
  snprintf(command->cgroup_path, kPathSize, "%s/limit-%d-%ld", plan->cgroup_parent, getpid(), number);
  if (mkdir(command->cgroup_path, 0755)) Fail(command->cgroup_path);
  command->cgroup = open(command->cgroup_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (command->cgroup < 0) Fail(command->cgroup_path);
}

static void Start(const struct Plan* plan, struct Command* command, int slot, long number) {
  int out[2];
  int err[2];
  command->start = Now();
  EnterNewCgroup(plan, command, number);
  if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) Fail("pipe2");
  struct Image image = {plan->argv, plan->null, out[1], err[1]};
  long pid = Clone(&image, command->cgroup, &command->fds[kPidfd]);
  if (pid < 0) {
    errno = (int)-pid;
    Fail("clone3");
  }
  close(out[1]);
  close(err[1]);
  command->fds[kStdout] = out[0];
  command->fds[kStderr] = err[0];
  command->open_count = kSourceCount;
  for (int source = 0; source < kSourceCount; source++) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (unsigned)(slot * kSourceCount + source)};
    if (epoll_ctl(plan->epoll, EPOLL_CTL_ADD, command->fds[source], &event)) Fail("epoll_ctl");
  }
}

// True when this was the last thing that the command was waited for.
static int Handle(const struct Plan* plan, struct Command* command, enum Source source) {
  int fd = command->fds[source];
  if (source == kPidfd) {
    siginfo_t info;
    if (waitid(P_PIDFD, (id_t)fd, &info, WEXITED)) Fail("waitid");
  } else if (read(fd, read_buffer, sizeof read_buffer) != 0) {
    return 0;
  }
  // In this order: a child between clone and execve still holds the descriptor, so closing it alone would leave the
  // registration alive, and a stale event would then name another command.
  epoll_ctl(plan->epoll, EPOLL_CTL_DEL, fd, NULL);
  close(fd);
  if (--command->open_count > 0) return 0;
  if (command->cgroup >= 0) {
    close(command->cgroup);
    if (rmdir(command->cgroup_path)) Fail(command->cgroup_path);
  }
  return 1;
}

static int CompareNumbers(const void* left, const void* right) {
  double a = *(const double*)left;
  double b = *(const double*)right;
  return (a > b) - (a < b);
}

static void Report(long finished, double seconds) {
  long count = finished < kMaxLatencies ? finished : kMaxLatencies;
  qsort(latencies, (size_t)count, sizeof latencies[0], CompareNumbers);
  printf("%.2f %.4f %.4f\n", (double)finished / seconds, latencies[count / 2] * 1e3, latencies[count * 99 / 100] * 1e3);
}

static void Measure(const struct Plan* plan) {
  static struct Command commands[kMaxConcurrency];
  long started = 0;
  long finished = 0;
  double begin = Now();
  for (int slot = 0; slot < plan->concurrency; slot++) Start(plan, &commands[slot], slot, started++);
  while (finished < started) {
    struct epoll_event events[64];
    int count = epoll_wait(plan->epoll, events, 64, -1);
    for (int i = 0; i < count; i++) {
      int slot = (int)events[i].data.u32 / kSourceCount;
      if (!Handle(plan, &commands[slot], events[i].data.u32 % kSourceCount)) continue;
      if (finished < kMaxLatencies) latencies[finished] = Now() - commands[slot].start;
      finished++;
      if (Now() - begin < plan->seconds) Start(plan, &commands[slot], slot, started++);
    }
  }
  Report(finished, Now() - begin);
}

int main(int argc, char** argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: limit SECONDS CONCURRENCY CGROUP PROGRAM [ARG...]\n");
    return 2;
  }
  struct Plan plan = {
      .seconds = atof(argv[1]),
      .concurrency = atoi(argv[2]),
      .cgroup_parent = atoi(argv[3]) ? CgroupParent() : NULL,
      .argv = argv + 4,
      .null = open("/dev/null", O_RDWR | O_CLOEXEC),
      .epoll = epoll_create1(EPOLL_CLOEXEC),
  };
  if (plan.concurrency < 1 || plan.concurrency > kMaxConcurrency) return 2;
  Measure(&plan);
  return 0;
}
