// The children of the supervisor: what it has started, and every orphan below it.
#pragma once

#include "supervisor/proc_file.h"
#include "supervisor/protocol.h"

namespace quiesce::supervisor {

// Calls `visit(pid, parent)` for each process of the host. False if /proc tells nothing.
template <typename Visit>
bool ForEachProcess(Visit visit) {
  const int folder = ProcPath().Open(O_RDONLY | O_DIRECTORY);
  if (folder < 0) return false;
  bool any = false;
  (void)ForEachNumberedEntry(folder, [&](int pid) {
    const int parent = ParentOf(pid);
    any = any || parent != 0;
    visit(pid, parent);
  });
  (void)Call(SYS_close, folder);
  return any;
}

// Calls `visit(pid)` for each child, dead ones included. False if /proc tells nothing.
template <typename Visit>
bool ForEachChild(Visit visit) {
  if (ForEachListed(kChildrenDescriptor, visit)) return true;
  // compat(kernel without CONFIG_PROC_CHILDREN): a look at every process.
  const auto self = static_cast<int>(Call(SYS_getpid));
  return ForEachProcess([&](int pid, int parent) {
    if (parent == self) visit(pid);
  });
}

}  // namespace quiesce::supervisor
