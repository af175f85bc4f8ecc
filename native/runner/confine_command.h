// quiesce-runner confine: confines itself and becomes the command.
#pragma once

namespace quiesce {

// `arguments` is what follows the name of the sub-command. Gives the exit status, if it comes back at all.
int RunConfine(char** arguments);

}  // namespace quiesce
