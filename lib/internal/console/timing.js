'use strict';

// Formats durations for console.time().

const {
  MathFloor,
  Number,
  NumberPrototypeToFixed,
  StringPrototypePadStart,
  StringPrototypeSplit,
} = primordials;

const kSecond = 1000;
const kMinute = 60 * kSecond;
const kHour = 60 * kMinute;

function twoDigits(number) {
  return StringPrototypePadStart(`${number}`, 2, '0');
}

function formatDuration(ms) {
  if (ms < kSecond) return `${Number(NumberPrototypeToFixed(ms, 3))}ms`;
  if (ms < kMinute) return `${NumberPrototypeToFixed(ms / kSecond, 3)}s`;
  const hours = MathFloor(ms / kHour);
  const minutes = MathFloor((ms % kHour) / kMinute);
  const parts = StringPrototypeSplit(NumberPrototypeToFixed((ms % kMinute) / kSecond, 3), '.');
  const seconds = `${twoDigits(parts[0])}.${parts[1]}`;
  if (hours === 0) return `${minutes}:${seconds} (m:ss.mmm)`;
  return `${hours}:${twoDigits(minutes)}:${seconds} (h:mm:ss.mmm)`;
}

exports.formatDuration = formatDuration;
