// A child that shares the memory of its parent, which waits until the child has called execve or exited. A C function
// cannot return twice on two stacks.
#pragma once

#include "supervisor/raw_calls.h"

// `flags` is CLONE_VM | CLONE_VFORK and more, nothing that takes an argument. The pid, or a negative errno. The child
// calls `entry(argument)`, which must not return, on the stack that ends at `stack`.
extern "C" quiesce::supervisor::Word quiesce_clone_sharing(quiesce::supervisor::Word flags, void* stack,
                                                           void (*entry)(void*), void* argument);
