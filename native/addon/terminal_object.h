// JavaScript's handle on one command in a terminal. Methods and shapes: src/native/binding.ts.
#pragma once

#include <napi.h>

#include <memory>

#include "reactor/runtime.h"

namespace quiesce {

class TerminalObject : public Napi::ObjectWrap<TerminalObject> {
 public:
  static Napi::Function Define(Napi::Env env);
  static Napi::Value Make(const Napi::FunctionReference& constructor, std::shared_ptr<Runtime> runtime,
                          Runtime::InTerminal spawned);

  explicit TerminalObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<TerminalObject>(info) {}

 private:
  Napi::Value GetId(const Napi::CallbackInfo& info);
  Napi::Value GetPid(const Napi::CallbackInfo& info);
  void Terminate(const Napi::CallbackInfo& info);
  void Kill(const Napi::CallbackInfo& info);
  Napi::Value GetTrouble(const Napi::CallbackInfo& info);
  Napi::Value Take(const Napi::CallbackInfo& info);
  Napi::Value Write(const Napi::CallbackInfo& info);
  void Resize(const Napi::CallbackInfo& info);
  Napi::Value GetForeground(const Napi::CallbackInfo& info);
  Napi::Value IsInputWanted(const Napi::CallbackInfo& info);

  std::shared_ptr<Runtime> runtime_;
  std::shared_ptr<Process> process_;
  std::shared_ptr<Terminal> terminal_;
};

}  // namespace quiesce
