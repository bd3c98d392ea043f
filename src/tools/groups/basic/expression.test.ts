import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../../contract/errors.ts';
import { evaluateExpression } from './expression.ts';

const failure = (source: string): string => {
  try {
    return `no error but ${evaluateExpression(source)}`;
  } catch (error) {
    if (error instanceof ToolError) return error.toString();
    throw error;
  }
};

const OPERATORS = {
  '+': (left: number, right: number) => left + right,
  '-': (left: number, right: number) => left - right,
  '*': (left: number, right: number) => left * right,
};

describe('evaluateExpression', () => {
  it.each([
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['10 - 4 - 3', 3],
    ['100 / 10 / 5', 2],
    ['17 % 5', 2],
    ['-17 % 5', -2],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['(-2) ^ 2', 4],
    ['2 ^ -1', 0.5],
    ['2 ** 3', 8],
    ['--3', 3],
    ['+3 - -3', 6],
    ['.5 + 1. + 1e3 + 2.5E-1', 1001.75],
    ['6 × 7 ÷ 2 − 1', 20],
    ['PI * 2 - tau', 0],
    ['ln(e)', 1],
    ['log(1000) + log(8, 2) + log2(8)', 9],
    ['max(1, min(9, 4), -3)', 4],
    ['sum(1, 2, 3) / avg(2, 4)', 2],
    ['round(2.5) + round(-2.5)', 0],
    ['round(1.005, 2)', 1.01],
    ['round(1234.5, -2)', 1200],
    ['round(1e300)', 1e300],
    ['sqrt(16) + cbrt(27) + abs(-2) + sign(-9)', 8],
    ['floor(-1.5) + ceil(-1.5) + trunc(-1.5)', -4],
    ['atan2(0, 1) + sin(0) + cos(0) + tan(0) + exp(0) + asin(0) + acos(1) + atan(0)', 2],
  ])('%s = %d', (source, value) => {
    expect(evaluateExpression(source)).toBeCloseTo(value, 12);
  });

  it.each([
    ['', 'bad_expression: the expression is empty → call calculate with one, e.g. 2 * (3 + 4)'],
    [
      '2 + *',
      'bad_expression: expected a number, a name or "(" but found "*" at character 5 → complete it there; then call calculate again',
    ],
    [
      '2 +',
      'bad_expression: expected a number, a name or "(" but found the end at character 4 → complete it there; then call calculate again',
    ],
    ['(1 + 2', 'bad_expression: "(" at character 1 is not closed at character 7 → put ")" or an operator there; then call calculate again'],
    ['1)', 'bad_expression: expected an operator before ")" at character 2 → write every operator, e.g. 2 * pi; then call calculate again'],
    [
      '2 pi',
      'bad_expression: expected an operator before "pi" at character 3 → write every operator, e.g. 2 * pi; then call calculate again',
    ],
    [
      '1,000',
      'bad_expression: expected an operator before "," at character 2 → write numbers without thousands separators, with a point for decimals; then call calculate again',
    ],
    [
      '200 * 10%',
      'bad_expression: expected a number, a name or "(" but found the end at character 10 → % is the remainder; for percent divide by 100, e.g. 200 * 10 / 100; then call calculate again',
    ],
    [
      '2 $ 3',
      'bad_expression: "$" has no meaning at character 3 → use numbers, + - * / ^ %, brackets and functions; then call calculate again',
    ],
    [
      '  😀',
      'bad_expression: "😀" has no meaning at character 3 → use numbers, + - * / ^ %, brackets and functions; then call calculate again',
    ],
    ['sqr(4)', 'bad_expression: the function "sqr" is unknown at character 1 → did you mean sqrt?; then call calculate again'],
    [
      'sqrt 4',
      'bad_expression: the function sqrt needs its arguments in brackets at character 1 → write sqrt(…); then call calculate again',
    ],
    [
      'atan2(1)',
      'bad_expression: atan2 takes 2 arguments, not 1 at character 1 → correct the list in its brackets; then call calculate again',
    ],
    [
      'round(1, 2, 3)',
      'bad_expression: round takes 1 to 2 arguments, not 3 at character 1 → correct the list in its brackets; then call calculate again',
    ],
    ['1 / (2 - 2)', 'division_by_zero: "/" at character 3 divides by zero → check the values before it'],
    ['1 % 0', 'division_by_zero: "%" at character 3 divides by zero → check the values before it'],
    ['1 + sqrt(-1)', 'no_number: "sqrt" at character 5 has no real result → check the values there'],
    ['10 ^ 400', 'no_number: "^" at character 4 is beyond 1.8e308 → check the values there'],
    ['1e999', 'no_number: "1e999" at character 1 is beyond 1.8e308 → check the values there'],
  ])('%j: %s', (source, message) => {
    expect(failure(source)).toBe(message);
  });

  it('knows no names but its own', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'globalThis', 'process']) {
      expect(failure(name)).toMatch(/^bad_expression: the name/u);
      expect(failure(`${name}(1)`)).toMatch(/^bad_expression: the function/u);
    }
  });

  it.each(['(', '-', '2^', 'abs('])('stops at depth, not at the end of the stack: %j', (part) => {
    expect(failure(`${part.repeat(100_000)}1`)).toMatch(/^bad_expression: more than 100 levels at character/u);
  });

  it('agrees with JavaScript on random expressions', () => {
    const leaf = fc.integer({ min: 0, max: 99 }).map((value) => ({ text: String(value), value }));
    const tree = fc.letrec<{ node: { text: string; value: number } }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        leaf,
        tie('node').map(({ text, value }) => ({ text: `-(${text})`, value: -value })),
        fc.tuple(tie('node'), fc.constantFrom('+', '-', '*'), tie('node')).map(([left, sign, right]) => ({
          text: `(${left.text}) ${sign} (${right.text})`,
          value: OPERATORS[sign as keyof typeof OPERATORS](left.value, right.value),
        })),
      ),
    })).node;
    fc.assert(fc.property(tree, ({ text, value }) => void expect(evaluateExpression(text) + 0).toBe(value + 0)));
  });

  it('answers any text with a finite number or an error with a next step', () => {
    const pieces = fc.constantFrom('1', '2.5', '+', '-', '*', '/', '^', '%', '(', ')', ',', 'pi', 'sqrt', 'max', ' ', 'x', '#');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const source = parts.join('');
        try {
          expect(Number.isFinite(evaluateExpression(source))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
          expect(String(error)).toMatch(/^\w+: .+ → .+/u);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
