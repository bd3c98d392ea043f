import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { writeSection } from '../bench/performance-page.ts';
import type { EvalPart, EvalRow } from './part.ts';

const PAGE = join(import.meta.dirname, '../docs/evaluation.md');
const HEAD = `# Evaluation

Measured by what others are measured by. Written by \`npm run eval -- PART --write\`; each section names the command that wrote it. The sets, their
licences and how to get them: [eval](../eval/README.md). No model answers: an oracle knows the answer, or one obeys every word it reads.
`;
const COLUMNS = ['set', 'measured', 'cases', 'ours', 'wanted', 'peer', 'reason'];

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

function cellsOf({ set, version, measured, cases, ours, wanted, holds, peer, reason }: EvalRow): string {
  const from = peer ? `${peer.name} ${peer.figure} (${peer.how})` : '';
  const missed = holds ? '' : ' **missed**';
  return line([`${set} ${version}`, measured, String(cases), `${ours}${missed}`, wanted ?? '', from, reason ?? '']);
}

/** Replaces the section of one part in docs/evaluation.md; `command` is what a person types to get the same. */
export function writeRows({ name, title }: EvalPart, rows: readonly EvalRow[], command: string): void {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const how = `, ${machine}: \`${command}\`. ${title}.`;
  writeSection(PAGE, HEAD, name, how, [line(COLUMNS), line(COLUMNS.map(() => '---')), ...rows.map(cellsOf)]);
}

/** As it is printed: a row, and below it the cases that failed. */
export function formatRow({ set, version, measured, cases, ours, wanted, holds, peer, reason, failed }: EvalRow): string {
  const words = [
    `${holds ? 'ok    ' : 'MISSED'} ${set} ${version}: ${measured}: ${ours} of ${cases} cases`,
    ...(wanted === undefined ? [] : [`wanted: ${wanted}`]),
    ...(peer ? [`${peer.name}: ${peer.figure} (${peer.how})`] : []),
    ...(reason === undefined ? [] : [reason]),
  ];
  return [words.join('; '), ...failed.map((each) => `         ${each.replaceAll('\n', '\\n')}`)].join('\n');
}
