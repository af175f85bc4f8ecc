// The command lines of the sub-commands.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "confine/policy.h"

namespace quiesce {

struct ConfineArguments {
  ConfinePolicy policy;
  bool probe = false;
  char** command = nullptr;  // what follows `--`, ends with a null; none with `--probe`
};

// What is wrong with an argument, and which one.
struct ArgumentError {
  std::string_view reason;
  std::string argument;

  bool operator==(const ArgumentError&) const = default;
};

// The number of a descriptor; -1 if it is none.
int DescriptorOf(std::string_view text);

// Reads [--rw PATH]... [--hide PATH]... [--network none] [--landlock-only] [--private-tmp] and then either --probe or
// `-- PROGRAM ARG...`. `arguments` is what follows the name of the sub-command, ends with a null and is borrowed.
std::variant<ConfineArguments, ArgumentError> ParseConfineArguments(char** arguments);

}  // namespace quiesce
