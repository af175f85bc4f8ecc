// The unit tests of the core: everything but the addon, without Node. What the caller's shell has set for signals
// (those that it ignores for a job in the background) stays outside.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <signal.h>

int main(int argc, char** argv) {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction inherited {};
    // Handlers are a sanitizer's.
    if (sigaction(number, nullptr, &inherited) == 0 && inherited.sa_handler == SIG_IGN) (void)signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  return doctest::Context(argc, argv).run();
}
