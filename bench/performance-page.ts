import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, passes } from './figures.ts';

const PAGE = join(import.meta.dirname, '../docs/performance.md');
const HEAD = `# Performance

Written by \`npm run bench -- NAME --write\`, on the machine of the day: only ratios can be compared between days. A limit that is missed
is printed as such.
`;

const rounded = (value: number): string => (Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3))));

const row = (figure: Figure): string => {
  const { name, value, unit, limit } = figure;
  const bound = limit === undefined ? '' : `${limit}${unit}${passes(figure) ? '' : ' **missed**'}`;
  return `| ${name.trim()} | ${rounded(value)}${unit} | ${bound} |`;
};

/** Where and when a section was measured. */
const origin = (): string => {
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  return `At \`${commit}\`, ${new Date().toISOString().slice(0, 10)}`;
};

/** Replaces a section of a page of figures; `how` follows the commit and the day. The page begins with `head` where it is not there yet. */
export function writeSection(path: string, head: string, name: string, how: string, table: readonly string[]): void {
  const page = existsSync(path) ? readFileSync(path, 'utf8') : head;
  const [top = head, ...sections] = page.split(/^(?=## )/mu);
  const made = [`## ${name}`, '', `${origin()}${how}`, '', ...table].join('\n');
  const others = sections.filter((section) => !section.startsWith(`## ${name}\n`));
  writeFileSync(path, `${[top, ...[...others, made].sort()].map((part) => part.trimEnd()).join('\n\n')}\n`);
}

/** Replaces the section of one benchmark in docs/performance.md. */
export const writeFigures = (name: string, figures: readonly Figure[]): void =>
  writeSection(PAGE, HEAD, name, '.', ['| figure | value | limit |', '| --- | --- | --- |', ...figures.map(row)]);
