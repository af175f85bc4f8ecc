// quiesce-runner prepare: builds the confinement of one policy and hands it over.
#pragma once

namespace quiesce {

// `arguments` is what follows the name of the sub-command: the options of `confine`, `--` and the number of the
// descriptor of a socket that takes whole messages. Gives the exit status.
int RunPrepare(char** arguments);

}  // namespace quiesce
