// Signals to the members of a cgroup folder, one by one. A number that was read may already belong to a stranger when
// it is used; a pidfd that was opened before a second reading still listed the number cannot.
#pragma once

namespace quiesce {

// Sends the signals, in order, to each member of `folder` (borrowed) and of the folders nested in it.
void SignalCgroupMembers(int folder, const int* signal_numbers, int count);

}  // namespace quiesce
