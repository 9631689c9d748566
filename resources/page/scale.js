/* SPDX-License-Identifier: MIT
 *
 * Axes: values to places, and round values for their ticks. */

/** An axis from `lo` to `hi` over `length` px, as the drawing has it. */
class Scale {
  constructor(axis, lo, hi) {
    this.log = axis.log;
    this.foot = axis.foot;
    this.lo = lo;
    this.hi = hi;
  }

  /** Values in the unit that is even along the axis. */
  even(value) {
    return this.log ? Math.log10(value) : value;
  }

  back(even) {
    return this.log ? Math.pow(10, even) : even;
  }

  /** 0 at the beginning, 1 at the end. */
  map(value) {
    const lo = this.even(this.lo);
    if (this.foot > 0 && !(value >= this.lo)) return value <= 0 ? 0 : this.foot * value / this.lo;
    const at = (this.even(value) - lo) / (this.even(this.hi) - lo);
    return this.foot + (1 - this.foot) * at;
  }

  unmap(at) {
    const lo = this.even(this.lo);
    if (at < this.foot) return 0;
    const share = (at - this.foot) / (1 - this.foot);
    return this.back(lo + share * (this.even(this.hi) - lo));
  }

  /** About `wanted` round values; `whole`: none between whole numbers. */
  ticks(wanted, whole) {
    const from = this.even(this.lo);
    const to = this.even(this.hi);
    if (this.log && to - from > 1.5) {
      const every = Math.max(1, Math.round((to - from) / wanted));
      return range(Math.ceil(from / every - 1e-9), Math.floor(to / every + 1e-9))
        .map((n) => Math.pow(10, n * every));
    }
    const step = roundStep((this.hi - this.lo) / wanted, whole);
    return range(Math.ceil(this.lo / step - 1e-9), Math.floor(this.hi / step + 1e-9))
      .map((n) => n * step).filter((value) => !this.log || value > 0);
  }
}

function range(from, to) {
  return Array.from({ length: Math.max(0, to - from + 1) }, (unused, i) => from + i);
}

/** The least of 1, 2 or 5 times a power of ten that is not much smaller. */
function roundStep(least, whole) {
  const power = Math.pow(10, Math.floor(Math.log10(least)));
  const step = [1, 2, 5, 10].map((n) => n * power).find((value) => value >= least * 0.7);
  return whole ? Math.max(1, step) : step;
}

/** A number to be read, with `digits` that count: "0.0312", "12.5 k", "3e-7". */
function numberText(value, digits) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const [unit, name] = size >= 1e6 ? [1e6, " M"] : size >= 1e4 ? [1e3, " k"] : [1, ""];
  const short = Number((value / unit).toPrecision(digits));
  const small = size > 0 && size < 1e-4;
  return (small ? short.toExponential() : String(short)).replace("-", "−") + name;
}

/** A count with its thousands apart. */
function countText(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** Index of the value nearest to `x` among rising ones, or -1. */
function nearest(values, x) {
  let first = 0;
  let last = values.length;
  while (first < last) {
    const middle = (first + last) >> 1;
    if (values[middle] < x) first = middle + 1;
    else last = middle;
  }
  return first > 0 && (first === values.length || x - values[first - 1] <= values[first] - x)
    ? first - 1 : first < values.length ? first : -1;
}
