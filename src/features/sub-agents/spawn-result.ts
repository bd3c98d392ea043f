import { type EventError, errorText } from '../../tools/contract/errors.ts';
import type { NoteSource } from '../../tools/contract/provenance.ts';
import type { ToolExecuteResult } from '../../tools/contract/types.ts';

/** The outcome of a sub-agent. */
export interface SubAgentOutcome {
  readonly ended: 'finished' | 'stopped' | 'failed';
  /** Why it failed. */
  readonly error?: EventError;
  /** Its last text; partial if it did not finish. */
  readonly text: string;
  /** The results of its calls, one line each, oldest first. */
  readonly found: readonly string[];
  readonly rounds: number;
  readonly calls: number;
  readonly tokens: number;
  /** Blocks that its text names and that it read. */
  readonly blockIds: readonly string[];
  /** Sources of everything that it read. */
  readonly sources: readonly NoteSource[];
  /** It was given private text. */
  readonly isPrivate: boolean;
}

/** What it found counts, however it ended; if it found nothing, its failure is the call's. */
export function spawnResult(label: string, outcome: SubAgentOutcome): ToolExecuteResult {
  const { ended, error, text, found, blockIds } = outcome;
  const origin = { sources: outcome.sources, isPrivate: outcome.isPrivate ? (true as const) : undefined };
  const said = text.trim();
  if (ended === 'failed' && error && said === '' && found.length === 0) return { status: 'error', error, ...origin };
  const whole = ended === 'finished' ? [said] : [said, found.join('\n')];
  const data = [headOf(label, outcome), ...whole.filter((part) => part !== '')].join('\n\n');
  return { status: 'success', data, blockIds, ...origin, repeats: true };
}

const count = (number: number, of: string): string => `${number} ${of}${number === 1 ? '' : 's'}`;

function headOf(label: string, { ended, error, text, found, rounds, calls, tokens }: SubAgentOutcome): string {
  const work = `${count(calls, 'call')} in ${count(rounds, 'round')}, ${tokens} tokens`;
  const name = `sub-agent ${JSON.stringify(label)}`;
  const rest = text.trim() === '' && found.length === 0 ? 'It had found nothing.' : 'What it had found so far:';
  if (ended === 'stopped') return `The user stopped the ${name} (${work}). Do not start it again unless the user asks. ${rest}`;
  if (ended === 'failed') return `The ${name} did not finish (${work}): ${error ? errorText(error) : 'it failed'}. ${rest}`;
  return `The ${name} has finished (${work}).`;
}
