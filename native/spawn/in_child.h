// For functions that run between clone and execve, in memory that belongs to the waiting spawner thread: the
// sanitizers' shadow state is that thread's as well.
#pragma once

#define QUIESCE_IN_CHILD __attribute__((no_sanitize("address", "thread", "undefined"), noinline))
