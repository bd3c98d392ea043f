import { ToolError } from '../../contract/errors.ts';
import { nearNames } from '../../util/near-names.ts';
import { CONSTANTS, FUNCTIONS } from './expression-functions.ts';

const MAX_DEPTH = 100;
const TOKEN = /\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_]*)|(\*\*|[-+*/%^(),×·÷−]))/iuy;
const SAME: Readonly<Record<string, string>> = { '**': '^', '×': '*', '·': '*', '÷': '/', '−': '-' };

const PRODUCTS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};

interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'end';
  readonly text: string;
  /** Where it begins, 0-based. */
  readonly at: number;
}

/** Evaluates + - * / ^ (right-associative, before a sign), % (sign of the dividend), brackets, functions. Throws with the position. */
export function evaluateExpression(source: string): number {
  return new Expression(source).evaluate();
}

/** Recursive descent that calculates as it reads: one pass, no tree, no eval. */
class Expression {
  private readonly source: string;
  private readonly tokens: readonly Token[];
  private position = 0;
  private depth = 0;

  constructor(source: string) {
    this.source = source;
    this.tokens = this.readTokens();
  }

  evaluate(): number {
    if (this.next().kind === 'end')
      throw new ToolError('bad_expression', 'the expression is empty', 'call calculate with one, e.g. 2 * (3 + 4)');
    const value = this.sum();
    const rest = this.next();
    if (rest.kind === 'end') return value;
    const hint =
      rest.text === ',' ? 'write numbers without thousands separators, with a point for decimals' : 'write every operator, e.g. 2 * pi';
    throw this.error(`expected an operator before "${rest.text}"`, rest, hint);
  }

  private sum(): number {
    let value = this.product();
    for (let sign = this.take('+', '-'); sign !== undefined; sign = this.take('+', '-')) {
      const right = this.product();
      value = this.finite(sign.text === '+' ? value + right : value - right, sign);
    }
    return value;
  }

  private product(): number {
    let value = this.signed();
    for (let sign = this.take('*', '/', '%'); sign !== undefined; sign = this.take('*', '/', '%')) {
      const right = this.signed(sign);
      if (sign.text !== '*' && right === 0) {
        throw new ToolError('division_by_zero', `"${sign.text}" ${this.place(sign)} divides by zero`, 'check the values before it');
      }
      value = this.finite(PRODUCTS[sign.text]?.(value, right) ?? Number.NaN, sign);
    }
    return value;
  }

  private signed(after?: Token): number {
    const sign = this.take('-', '+');
    if (sign === undefined) return this.power(after);
    const value = this.deeper(sign, () => this.signed());
    return sign.text === '-' ? -value : value;
  }

  private power(after?: Token): number {
    const base = this.value(after);
    const sign = this.take('^');
    if (sign === undefined) return base;
    const exponent = this.deeper(sign, () => this.signed());
    return this.finite(base ** exponent, sign);
  }

  private value(after?: Token): number {
    const token = this.next();
    if (token.kind === 'number') {
      this.position++;
      return this.finite(Number(token.text), token);
    }
    if (token.kind === 'name') return this.named(token);
    if (token.text === '(') {
      this.position++;
      return this.deeper(token, () => this.closed(this.sum(), token));
    }
    const found = token.kind === 'end' ? 'the end' : `"${token.text}"`;
    const next = after?.text === '%' ? '% is the remainder; for percent divide by 100, e.g. 200 * 10 / 100' : 'complete it there';
    throw this.error(`expected a number, a name or "(" but found ${found}`, token, next);
  }

  private named(token: Token): number {
    this.position++;
    const name = token.text.toLowerCase();
    const opening = this.take('(');
    const constant = CONSTANTS.get(name);
    if (constant !== undefined && opening === undefined) return constant;
    const called = FUNCTIONS.get(name);
    if (called === undefined) throw this.unknown(token, opening !== undefined);
    if (opening === undefined) throw this.error(`the function ${name} needs its arguments in brackets`, token, `write ${name}(…)`);
    const values = this.deeper(opening, () => this.list(opening));
    const [from, to] = called.arity;
    if (values.length < from || values.length > to) {
      const wants = from === to ? String(from) : `${from} to ${to}`;
      throw this.error(`${name} takes ${wants} arguments, not ${values.length}`, token, 'correct the list in its brackets');
    }
    return this.finite(called.apply(...values), token);
  }

  private list(opening: Token): readonly number[] {
    if (this.take(')') !== undefined) return [];
    const values = [this.sum()];
    while (this.take(',') !== undefined) values.push(this.sum());
    this.closed(0, opening);
    return values;
  }

  private closed(value: number, opening: Token): number {
    if (this.take(')') !== undefined) return value;
    const found = this.next();
    throw this.error(`"(" ${this.place(opening)} is not closed`, found, 'put ")" or an operator there');
  }

  private unknown(token: Token, isCall: boolean): ToolError {
    const known = isCall ? [...FUNCTIONS.keys()] : [...CONSTANTS.keys(), ...FUNCTIONS.keys()];
    const near = nearNames(token.text, known);
    const next = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `use one of: ${known.join(', ')}`;
    return this.error(`${isCall ? 'the function' : 'the name'} "${token.text.slice(0, 40)}" is unknown`, token, next);
  }

  private deeper<T>(token: Token, read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw this.error(`more than ${MAX_DEPTH} levels`, token, 'calculate it in several calls');
    const value = read();
    this.depth--;
    return value;
  }

  private finite(value: number, token: Token): number {
    if (Number.isFinite(value)) return value;
    const what = Number.isNaN(value) ? 'has no real result' : 'is beyond 1.8e308';
    throw new ToolError('no_number', `"${token.text}" ${this.place(token)} ${what}`, 'check the values there');
  }

  private next(): Token {
    return this.tokens[this.position] ?? { kind: 'end', text: '', at: this.source.length };
  }

  private take(...signs: readonly string[]): Token | undefined {
    const token = this.next();
    if (token.kind !== 'sign' || !signs.includes(token.text)) return undefined;
    this.position++;
    return token;
  }

  private place(token: Token): string {
    return `at character ${token.at + 1}`;
  }

  private error(what: string, token: Token, next: string): ToolError {
    return new ToolError('bad_expression', `${what} ${this.place(token)}`, `${next}; then call calculate again`);
  }

  private readTokens(): readonly Token[] {
    const tokens: Token[] = [];
    const end = this.source.trimEnd().length;
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < end) {
      const from = TOKEN.lastIndex;
      const match = TOKEN.exec(this.source);
      if (match === null) throw this.unreadable(from);
      const [whole, number, name, sign = ''] = match;
      const text = number ?? name ?? SAME[sign] ?? sign;
      const word = name === undefined ? 'sign' : 'name';
      const kind = number === undefined ? word : 'number';
      tokens.push({
        kind,
        text,
        at: from + whole.length - (number ?? name ?? sign).length,
      });
    }
    return tokens;
  }

  private unreadable(from: number): ToolError {
    const at = from + (/^\s*/u.exec(this.source.slice(from))?.[0].length ?? 0);
    const character = String.fromCodePoint(this.source.codePointAt(at) ?? 0x20);
    return this.error(
      `"${character}" has no meaning`,
      { kind: 'sign', text: character, at },
      'use numbers, + - * / ^ %, brackets and functions',
    );
  }
}
