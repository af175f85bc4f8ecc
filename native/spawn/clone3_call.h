// The bare clone3 call. It has no libc wrapper that gives the child a stack of its own, and a C function cannot return
// twice on two stacks.
#pragma once

#include <linux/sched.h>

#include <cstddef>

#if defined(__x86_64__) || defined(__aarch64__)
#define QUIESCE_HAS_CLONE3 1
// The pid, or a negative errno. The child calls `entry(argument)`, which must not return, on the stack that `args`
// names.
extern "C" long quiesce_clone3(clone_args* args, size_t size, void (*entry)(void*), void* argument);  // NOLINT
#else
#define QUIESCE_HAS_CLONE3 0
#endif
