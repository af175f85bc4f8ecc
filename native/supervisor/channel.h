// The supervisor's end of the socket that its host holds the other end of.
#pragma once

#include "supervisor/protocol.h"

namespace quiesce::supervisor {

// A host that is gone is noticed elsewhere. `pidfd` is sent along unless it is -1.
void Send(const Report& report, int pidfd = -1);

enum class Heard { kNothing, kOrder, kEnd };

// Does not block. An end is final: the host has closed its side.
Heard Receive(Order* order);

}  // namespace quiesce::supervisor
