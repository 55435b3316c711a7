// Calls that do not work: each says so in one sentence, once, and returns cudaErrorNotSupported.
#include <string>

#include "cuda/stand_in/runtime/calls/entry.h"
#include "cuda/stand_in/runtime/state/notes.h"

namespace {

enum class Topic : uint8_t {
#define TOPIC(id, what, instead) id,
#include "cuda/stand_in/runtime/topics.def"
#undef TOPIC
};

struct TopicText {
  const char *what, *instead;
};
constexpr TopicText topics[] = {
#define TOPIC(id, what, instead) {what, instead},
#include "cuda/stand_in/runtime/topics.def"
#undef TOPIC
};

struct RefusedCall {
  const char* name;
  Topic topic;
};
constexpr RefusedCall refused[] = {
#define RUNTIME_CALL(name, majors)
#define RUNTIME_OTHER_NAME(name, majors, same)
#define RUNTIME_REFUSED(name, majors, topic) MAJOR_##majors({#name, Topic::topic}, )
#include "cuda/stand_in/runtime/api.def"
#undef RUNTIME_CALL
#undef RUNTIME_OTHER_NAME
#undef RUNTIME_REFUSED
};

}  // namespace

extern "C" int warplens_refuse_runtime(uint32_t row) {
  using namespace warplens::runtime;
  return call_without_context([&] {
    const RefusedCall& asked = refused[row];
    const TopicText& topic = topics[static_cast<size_t>(asked.topic)];
    const std::string sentence =
        std::string(asked.name) + " is not provided: " + topic.what + " are not simulated. " + topic.instead;
    if (warplens_tell != nullptr) warplens_tell("missing", cudaErrorNotSupported, sentence.c_str());
    return cudaErrorNotSupported;
  });
}
