// with-key PROGRAM ARG...   runs a program with a session keyring of its own that holds the secret, as a login does
#include <err.h>
#include <linux/keyctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* secret = getenv("ARENA_SECRET");
  if (argc < 2 || !secret) errx(2, "usage: ARENA_SECRET=TEXT with-key PROGRAM ARG...");
  // A kernel or container without keyrings has no key to lose.
  if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, "arena") >= 0)
    syscall(SYS_add_key, "user", "arena", secret, strlen(secret), KEY_SPEC_SESSION_KEYRING);
  execvp(argv[1], argv + 1);
  err(127, "%s", argv[1]);
}
