import { badPattern, type PatternNode, parsePattern } from './pattern-parser.ts';

/** Where a pattern was found, in UTF-16 units. */
interface PatternMatch {
  readonly start: number;
  readonly end: number;
}

/** Finds the first place in one line of text; null when there is none. */
export type FindInLine = (line: string) => PatternMatch | null;

type Step =
  | { readonly kind: 'character'; readonly matches: (character: string) => boolean }
  | { readonly kind: 'assertion'; readonly holds: (characters: readonly string[], index: number) => boolean }
  | { readonly kind: 'fork'; readonly to: number[] }
  | { readonly kind: 'found' };

/** Copies of a repeated part count, so `(a{100}){100}` stays out. */
const MAX_STEPS = 4000;

/** Steps in a row; a fork goes on at several. (Thompson 1968: no step is tried twice at one character, so time is linear in the text.) */
class Program {
  readonly steps: Step[] = [];
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  add(node: PatternNode): void {
    if (node.kind === 'character' || node.kind === 'assertion') this.push(node);
    else if (node.kind === 'sequence') for (const part of node.parts) this.add(part);
    else if (node.kind === 'choice') this.addChoice(node.options);
    else this.addRepeat(node);
  }

  push(step: Step): void {
    if (this.steps.length >= this.most) throw badPattern('it repeats too much');
    this.steps.push(step);
  }

  private fork(): number[] {
    const to: number[] = [];
    this.push({ kind: 'fork', to });
    return to;
  }

  private addChoice(options: readonly PatternNode[]): void {
    const starts = this.fork();
    const ends: number[][] = [];
    for (const option of options) {
      starts.push(this.steps.length);
      this.add(option);
      ends.push(this.fork());
    }
    for (const end of ends) end.push(this.steps.length);
  }

  private addRepeat({ part, min, max }: PatternNode & { readonly kind: 'repeat' }): void {
    for (let count = 0; count < min; count += 1) this.add(part);
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.steps.length;
      const entry = this.fork();
      entry.push(this.steps.length);
      this.add(part);
      this.fork().push(loop);
      entry.push(this.steps.length);
      return;
    }
    const exits: number[][] = [];
    for (let count = min; count < max; count += 1) {
      const entry = this.fork();
      entry.push(this.steps.length);
      exits.push(entry);
      this.add(part);
    }
    for (const exit of exits) exit.push(this.steps.length);
  }
}

/** Places in the program that are reached at one character, each with where its match began. */
class Reached {
  readonly places: number[] = [];
  readonly starts: number[] = [];
  private readonly seen: Uint8Array;

  constructor(size: number) {
    this.seen = new Uint8Array(size);
  }

  clear(): void {
    this.places.length = 0;
    this.starts.length = 0;
    this.seen.fill(0);
  }

  /** Follows forks and assertions until a character is wanted or the end is there. */
  enter(steps: readonly Step[], first: number, start: number, characters: readonly string[], index: number): void {
    const open = [first];
    while (open.length > 0) {
      const place = open.pop() ?? 0;
      const step = steps[place];
      if (!step || this.seen[place]) continue;
      this.seen[place] = 1;
      if (step.kind === 'fork') open.push(...step.to);
      else if (step.kind === 'assertion') {
        if (step.holds(characters, index)) open.push(place + 1);
      } else {
        this.places.push(place);
        this.starts.push(start);
      }
    }
  }
}

function findWith(steps: readonly Step[], line: string): PatternMatch | null {
  const characters = Array.from(line);
  let now = new Reached(steps.length);
  let next = new Reached(steps.length);
  for (let index = 0; index <= characters.length; index += 1) {
    now.enter(steps, 0, index, characters, index);
    next.clear();
    for (const [order, place] of now.places.entries()) {
      const step = steps[place];
      const start = now.starts[order] ?? 0;
      if (step?.kind === 'found') {
        const before = characters.slice(0, start).join('').length;
        return { start: before, end: before + characters.slice(start, index).join('').length };
      }
      const character = characters[index];
      if (step?.kind === 'character' && character !== undefined && step.matches(character))
        next.enter(steps, place + 1, start, characters, index + 1);
    }
    [now, next] = [next, now];
  }
  return null;
}

/**
 * A regular expression in JavaScript's syntax (flag `u`) that cannot run without end: JavaScript's own matcher tries again from
 * the middle, and `(a+)+$` then takes longer than anybody waits. Rejects with `bad_pattern`: see parsePattern, and where its repetitions
 * are more than `most` steps when they are written out.
 */
export function linearPattern(pattern: string, most = MAX_STEPS): FindInLine {
  const program = new Program(most);
  program.add(parsePattern(pattern));
  program.push({ kind: 'found' });
  return (line) => findWith(program.steps, line);
}

/** Plain text, whatever its case. */
export function plainPattern(text: string): FindInLine {
  if (text === '') throw badPattern('it is empty');
  const expression = new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'iu');
  return (line) => {
    const found = expression.exec(line);
    return found ? { start: found.index, end: found.index + found[0].length } : null;
  };
}
