// quiesce-runner launch: starts commands for its parent, inside the systemd scope that it was started in.
#pragma once

namespace quiesce {

// `arguments` is what follows the name of the sub-command: [--leave] SOCKET PAGE UNIT: the numbers of the descriptors
// of the control socket and of the shared page (native/launcher/protocol.h), and the name of the scope. Ends when the
// parent does. Gives the exit status.
int RunLaunch(char** arguments);

}  // namespace quiesce
