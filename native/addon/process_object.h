// JavaScript's handle on one process. Methods and shapes: src/native/binding.ts.
#pragma once

#include <napi.h>

#include <memory>

#include "reactor/runtime.h"
#include "spawn/request_decoder.h"

namespace quiesce {

class ProcessObject : public Napi::ObjectWrap<ProcessObject> {
 public:
  static Napi::Function Define(Napi::Env env);
  static Napi::Value Make(const Napi::FunctionReference& constructor, std::shared_ptr<Runtime> runtime,
                          std::shared_ptr<Process> process, RawStreams raw);

  explicit ProcessObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<ProcessObject>(info) {}
  void Finalize(Napi::BasicEnv env) override;

 private:
  Napi::Value GetId(const Napi::CallbackInfo& info);
  Napi::Value GetPid(const Napi::CallbackInfo& info);
  Napi::Value GetCause(const Napi::CallbackInfo& info);
  void Terminate(const Napi::CallbackInfo& info);
  void Kill(const Napi::CallbackInfo& info);
  Napi::Value TakeDescriptors(const Napi::CallbackInfo& info);
  Napi::Value Read(const Napi::CallbackInfo& info);
  Napi::Value GetTotal(const Napi::CallbackInfo& info);
  Napi::Value HasEnded(const Napi::CallbackInfo& info);
  Napi::Value GetSpillError(const Napi::CallbackInfo& info);
  Napi::Value GetTrouble(const Napi::CallbackInfo& info);
  void AccountMemory(const Napi::CallbackInfo& info);

  [[nodiscard]] const Collector& Stream(const Napi::CallbackInfo& info) const;

  std::shared_ptr<Runtime> runtime_;
  std::shared_ptr<Process> process_;
  RawStreams raw_;
  int64_t accounted_ = 0;  // what the garbage collector was told that this object holds
};

}  // namespace quiesce
