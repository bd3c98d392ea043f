import { ToolError } from '../../../tools/contract/errors.ts';
import type { OutputExcerpt, ProgramEnd } from '../../../tools/contract/programs-port.ts';
import type { ProgramRun } from '../../../tools/contract/types.ts';

export function keptText({ head, tail, omitted }: OutputExcerpt): string {
  return omitted === 0 ? head + tail : `${head}\n[… ${omitted} bytes left out …]\n${tail}`;
}

function stream(name: string, output: OutputExcerpt): string {
  const text = keptText(output).replace(/\n$/u, '');
  return text === '' ? `[${name}: empty]` : `[${name}]\n${text}`;
}

/** Exit code, time, and both streams. */
export function describeEnd(end: ProgramEnd): string {
  const code = end.exitCode === null ? 'none, it was ended by a signal' : String(end.exitCode);
  return [`exit code: ${code} (${(end.durationMs / 1000).toFixed(1)} s)`, stream('stdout', end.stdout), stream('stderr', end.stderr)].join(
    '\n',
  );
}

const MAX_QUOTED = 900;

/** Throws for a program that was ended because of a limit, with the end of its output. */
export function requireWithin(end: ProgramEnd, { timeoutSeconds }: Pick<ProgramRun, 'timeoutSeconds'>): void {
  if (end.exceeded === undefined) return;
  const said = [end.stdout, end.stderr].map((output) => keptText(output).slice(-MAX_QUOTED)).filter((text) => text.trim() !== '');
  const quoted = said.length === 0 ? undefined : `The end of what it printed:\n${said.join('\n')}`;
  const all = 'it was ended, with everything it had started';
  if (end.exceeded === 'time')
    throw new ToolError(
      'timeout',
      `it ran longer than ${timeoutSeconds} s; ${all}`,
      'do less at once, or give it more time',
      undefined,
      quoted,
    );
  const what = { output: 'it printed too much', memory: 'it used too much memory', processes: 'it started too many processes' }[
    end.exceeded
  ];
  throw new ToolError('program_limit', `${what}; ${all}`, 'do less at once, or tell the user', undefined, quoted);
}
