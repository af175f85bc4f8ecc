#include <doctest/doctest.h>

#include "confine/confine.h"
#include "runner/report.h"

namespace quiesce {

TEST_CASE("namespaces and the Landlock of a new kernel together are full enforcement") {
  CHECK(EnforcementLine(EnforcementOf(/*in_namespaces=*/true, 6)) == "quiesce-runner: full\n");
  CHECK(EnforcementOf(true, 7).full());
}

TEST_CASE("one of them alone, or an old Landlock, is partial and says what is missing") {
  CHECK(EnforcementLine(EnforcementOf(true, 2)) ==
        "quiesce-runner: partial: signals to outside processes; abstract Unix sockets\n");
  CHECK(EnforcementLine(EnforcementOf(true, 0)) ==
        "quiesce-runner: partial: tracing of outside processes; signals to outside processes; abstract Unix sockets\n");
  CHECK(EnforcementLine(EnforcementOf(false, 7)) == "quiesce-runner: partial: file metadata; Unix sockets by path\n");
  CHECK(EnforcementOf(false, 1).not_governed.size() == 6);
}

TEST_CASE("a failure is one line, whatever its subject is") {
  CHECK(FailureLine("exec", "No such file or directory", "a\nb\x7f") ==
        "quiesce-runner: exec: No such file or directory: a?b?\n");
  CHECK(FailureLine("landlock", "Function not implemented", "") ==
        "quiesce-runner: landlock: Function not implemented\n");
}

}  // namespace quiesce
