#include "loop/choice.h"

namespace rondo {

const char* choice_point_name(ChoicePoint point) {
  switch (point) {
    case ChoicePoint::timer_reached: return "timer reached";
    case ChoicePoint::completion_order: return "completion order";
    case ChoicePoint::batch_end: return "batch end";
    case ChoicePoint::effect_first: return "effect first";
  }
  return "unknown";
}

}  // namespace rondo
