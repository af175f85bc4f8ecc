// The whole program: becomes the parent of every orphan below it, starts the command, and stays until nobody is left.
#pragma once

namespace quiesce::supervisor {

// The exit status. Arguments: protocol.h.
int Main(int count, char** arguments, char** environment);

}  // namespace quiesce::supervisor
