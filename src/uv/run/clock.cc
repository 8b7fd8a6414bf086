#include "uv/run/clock.h"

namespace rondo::uv {

void ProgramClock::take_part(ClockUser& user) {
  const std::lock_guard lock(places_mutex_);
  const std::thread::id here = std::this_thread::get_id();
  for (Place& place : places_) {
    if (place.user == &user) {
      place.thread = here;
      if (!place.takes_part) clock_.join(user);
      place.takes_part = true;
    } else if (place.thread == here && place.takes_part) {
      place.takes_part = false;
      clock_.leave(*place.user);
    }
  }
}

void ProgramClock::join(ClockUser& user) {
  {
    const std::lock_guard lock(places_mutex_);
    places_.push_back({&user, std::this_thread::get_id(), false});
  }
  take_part(user);
}

void ProgramClock::join_other_thread(ClockUser& user) {
  const std::lock_guard lock(places_mutex_);
  places_.push_back({&user, std::thread::id(), true});
  clock_.join(user);
}

void ProgramClock::leave(ClockUser& user) {
  const std::lock_guard lock(places_mutex_);
  std::erase_if(places_, [&user](const Place& place) { return place.user == &user; });
  clock_.leave(user);
}

Clock::Jump ProgramClock::jump(ClockUser& user, Nanos instant) {
  take_part(user);
  return clock_.jump(user, instant);
}

void ProgramClock::resume(ClockUser& user) {
  take_part(user);
  clock_.resume(user);
}

}  // namespace rondo::uv
