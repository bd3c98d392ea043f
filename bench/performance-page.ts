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

/** Replaces the section of one benchmark in docs/performance.md. */
export function writeFigures(name: string, figures: readonly Figure[]): void {
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : HEAD;
  const [head = HEAD, ...sections] = page.split(/^(?=## )/mu);
  const day = new Date().toISOString().slice(0, 10);
  const table = ['| figure | value | limit |', '| --- | --- | --- |', ...figures.map(row)];
  const made = [`## ${name}`, '', `At \`${commit}\`, ${day}.`, '', ...table].join('\n');
  const others = sections.filter((section) => !section.startsWith(`## ${name}\n`));
  writeFileSync(PAGE, `${[head, ...[...others, made].sort()].map((part) => part.trimEnd()).join('\n\n')}\n`);
}
