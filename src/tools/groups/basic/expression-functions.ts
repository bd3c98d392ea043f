export interface MathFunction {
  readonly arity: readonly [from: number, to: number];
  readonly apply: (...values: readonly number[]) => number;
}

const one = (apply: (value: number) => number): MathFunction => ({ arity: [1, 1], apply: (value = Number.NaN) => apply(value) });
const many = (apply: (...values: readonly number[]) => number): MathFunction => ({ arity: [1, 100], apply });

/** Angles are radians; `log` is base 10 unless a base is given, `ln` is natural. */
export const FUNCTIONS: ReadonlyMap<string, MathFunction> = new Map([
  ['abs', one(Math.abs)],
  ['acos', one(Math.acos)],
  ['asin', one(Math.asin)],
  ['atan', one(Math.atan)],
  ['atan2', { arity: [2, 2], apply: (y = Number.NaN, x = Number.NaN) => Math.atan2(y, x) }],
  ['avg', many((...values) => sum(values) / values.length)],
  ['cbrt', one(Math.cbrt)],
  ['ceil', one(Math.ceil)],
  ['cos', one(Math.cos)],
  ['exp', one(Math.exp)],
  ['floor', one(Math.floor)],
  ['ln', one(Math.log)],
  [
    'log',
    { arity: [1, 2], apply: (value = Number.NaN, base = 10) => (base === 10 ? Math.log10(value) : Math.log(value) / Math.log(base)) },
  ],
  ['log2', one(Math.log2)],
  ['max', many(Math.max)],
  ['min', many(Math.min)],
  ['round', { arity: [1, 2], apply: round }],
  ['sign', one(Math.sign)],
  ['sin', one(Math.sin)],
  ['sqrt', one(Math.sqrt)],
  ['sum', many((...values) => sum(values))],
  ['tan', one(Math.tan)],
  ['trunc', one(Math.trunc)],
]);

export const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['tau', 2 * Math.PI],
  ['e', Math.E],
]);

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** To `digits` decimals, halves away from zero as people round; shifted in decimal text, so that 1.005 rounds as it is written. */
function round(value = Number.NaN, digits = 0): number {
  const places = Math.max(-300, Math.min(300, Math.trunc(digits)));
  const magnitude = shift(Math.round(shift(Math.abs(value), places)), -places);
  return Number.isFinite(magnitude) ? Math.sign(value) * magnitude : value;
}

function shift(value: number, places: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}
