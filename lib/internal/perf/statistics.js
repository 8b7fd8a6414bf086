'use strict';

// Comparison of two histograms, and confidence intervals of averages and percentiles. A sample is the result of Hdr's
// sample(): values in ascending order, the count of each, and the total count.

const {
  MathAbs,
  MathExp,
  MathFloor,
  MathLog,
  MathMax,
  MathMin,
  MathPI,
  MathSin,
  MathSqrt,
  NumberEPSILON,
} = primordials;

// ---- Distributions

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

function logGamma(x) {
  if (x < 0.5) return MathLog(MathPI / MathSin(MathPI * x)) - logGamma(1 - x);
  x -= 1;
  let sum = lanczos[0];
  for (let i = 1; i < lanczos.length; i++) sum += lanczos[i] / (x + i);
  const t = x + 7.5;
  return 0.5 * MathLog(2 * MathPI) + (x + 0.5) * MathLog(t) - t + MathLog(sum);
}

// The regularised incomplete beta function, computed as a continued fraction.
function incompleteBeta(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const factor = MathExp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * MathLog(x) + b * MathLog(1 - x)) / a;
  const tiny = 1e-300;
  const bound = (value) => (MathAbs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / bound(1 - (a + b) * x / (a + 1));
  let result = d;
  for (let m = 1; m < 10_000; m++) {
    const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / bound(1 + even * d);
    c = bound(1 + even / c);
    result *= d * c;
    const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / bound(1 + odd * d);
    c = bound(1 + odd / c);
    const change = d * c;
    result *= change;
    if (MathAbs(change - 1) < NumberEPSILON) break;
  }
  return factor * result;
}

// Returns the probability that the absolute value of Student's t is greater than `t`.
function beyondT(t, degrees) {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

// Returns the t for which the probability of a value between -t and t is `confidence`.
function quantileOfT(confidence, degrees) {
  const wanted = 1 - confidence;
  let low = 0;
  let high = 1;
  while (beyondT(high, degrees) > wanted && high < 1e300) high *= 2;
  for (let i = 0; i < 200 && low < high; i++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (beyondT(middle, degrees) > wanted) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

// The complementary error function, computed with the incomplete gamma function: a series near 0, a continued fraction
// elsewhere.
function erfc(x) {
  const square = x * x;
  if (x < 1.5) {
    let term = 1 / 0.5;
    let sum = term;
    for (let n = 1; n < 500 && term > sum * NumberEPSILON; n++) {
      term *= square / (0.5 + n);
      sum += term;
    }
    return 1 - sum * MathExp(-square) * x / MathSqrt(MathPI);
  }
  let b = square + 0.5;
  let c = 1e300;
  let d = 1 / b;
  let result = d;
  for (let i = 1; i < 1000; i++) {
    const a = -i * (i - 0.5);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    const change = d * c;
    result *= change;
    if (MathAbs(change - 1) < NumberEPSILON) break;
  }
  return result * MathExp(-square) * x / MathSqrt(MathPI);
}

// Returns the smallest number of successes in `n` trials whose cumulative probability is at least `wanted`.
function quantileOfBinomial(wanted, n, p) {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = MathFloor((low + high) / 2);
    const upTo = middle >= n ? 1 : incompleteBeta(1 - p, n - middle, middle + 1);
    if (upTo >= wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

// ---- One sample

function momentsOf({ values, counts, total }) {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] * counts[i];
  const mean = sum / total;
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += counts[i] * (values[i] - mean) ** 2;
  return { mean, variance: squares / (total - 1), total };
}

function meanInterval(sample, confidence) {
  const { mean, variance, total } = momentsOf(sample);
  if (total < 2) return { __proto__: null, mean, lower: NaN, upper: NaN };
  const margin = quantileOfT(confidence, total - 1) * MathSqrt(variance / total);
  return { __proto__: null, mean, lower: mean - margin, upper: mean + margin };
}

// Returns the ranks, starting at 1, of the values that bound a percentile.
function percentileRanks(total, percentile, confidence) {
  const p = percentile / 100;
  const beyond = (1 - confidence) / 2;
  return {
    lower: MathMax(1, quantileOfBinomial(beyond, total, p)),
    upper: MathMin(total, quantileOfBinomial(1 - beyond, total, p) + 1),
  };
}

// ---- Two samples

// Calls visit(countOfA, countOfB) for every value of either sample, in ascending order.
function merge(a, b, visit) {
  let i = 0;
  let j = 0;
  while (i < a.values.length || j < b.values.length) {
    const left = i < a.values.length ? a.values[i] : Infinity;
    const right = j < b.values.length ? b.values[j] : Infinity;
    visit(left <= right ? a.counts[i] : 0, right <= left ? b.counts[j] : 0);
    if (left <= right) i++;
    if (right <= left) j++;
  }
}

// The Kolmogorov-Smirnov statistic: the greatest difference of the two distributions.
function ksTest(a, b) {
  if (a.total === 0 || b.total === 0) return 0;
  let seenA = 0;
  let seenB = 0;
  let most = 0;
  merge(a, b, (countA, countB) => {
    seenA += countA;
    seenB += countB;
    most = MathMax(most, MathAbs(seenA / a.total - seenB / b.total));
  });
  return most;
}

function welchTest(a, b, confidence) {
  const one = momentsOf(a);
  const two = momentsOf(b);
  const partA = one.variance / one.total;
  const partB = two.variance / two.total;
  const error = MathSqrt(partA + partB);
  if (one.total < 2 || two.total < 2 || !(error > 0) || a === b) {
    return {
      __proto__: null,
      tStatistic: 0,
      degreesOfFreedom: 0,
      pValue: 1,
      confidenceInterval: { __proto__: null, lower: 0, upper: 0 },
    };
  }
  const difference = one.mean - two.mean;
  const tStatistic = difference / error;
  const degreesOfFreedom = (partA + partB) ** 2 / (partA ** 2 / (one.total - 1) + partB ** 2 / (two.total - 1));
  const margin = quantileOfT(confidence, degreesOfFreedom) * error;
  return {
    __proto__: null,
    tStatistic,
    degreesOfFreedom,
    pValue: beyondT(tStatistic, degreesOfFreedom),
    confidenceInterval: { __proto__: null, lower: difference - margin, upper: difference + margin },
  };
}

// Returns the number of pairs in which the value of `a` is greater; equal values count half.
function greaterPairs(a, b) {
  let seenB = 0;
  let greater = 0;
  let ties = 0;
  merge(a, b, (countA, countB) => {
    greater += countA * (seenB + countB / 2);
    seenB += countB;
    ties += (countA + countB) ** 3 - (countA + countB);
  });
  return { greater, ties };
}

function mannWhitneyTest(a, b) {
  if (a.total === 0 || b.total === 0 || a === b) return { __proto__: null, uStatistic: 0, zScore: 0, pValue: 1 };
  const { greater, ties } = greaterPairs(a, b);
  const all = a.total + b.total;
  const variance = a.total * b.total / 12 * (all + 1 - ties / (all * (all - 1)));
  const zScore = variance > 0 ? (greater - a.total * b.total / 2) / MathSqrt(variance) : 0;
  return { __proto__: null, uStatistic: greater, zScore, pValue: erfc(MathAbs(zScore) / MathSqrt(2)) };
}

function cohensD(a, b) {
  const one = momentsOf(a);
  const two = momentsOf(b);
  if (one.total < 2 || two.total < 2) return 0;
  const pooled = ((one.total - 1) * one.variance + (two.total - 1) * two.variance) / (one.total + two.total - 2);
  return pooled > 0 ? (one.mean - two.mean) / MathSqrt(pooled) : 0;
}

function cliffsD(a, b) {
  if (a.total === 0 || b.total === 0) return 0;
  return 2 * greaterPairs(a, b).greater / (a.total * b.total) - 1;
}

module.exports = { cliffsD, cohensD, ksTest, mannWhitneyTest, meanInterval, percentileRanks, welchTest };
