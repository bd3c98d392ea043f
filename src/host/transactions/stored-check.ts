import { ToolError } from '../../tools/contract/errors.ts';
import type { Refusal } from '../../tools/safe-content/formulas.ts';
import { existingContent, refusalOf } from '../content/active-content.ts';
import type { BlockState, BlockWriter } from './block-writer.ts';
import type { WriteStep } from './write-step.ts';

/** A step whose block would run, fetch or show something as HTML that was not there before. */
interface RefusedStep {
  readonly step: WriteStep;
  readonly refusal: Refusal;
}

/** The first refusal of each step that writes content; the block's old content and the step's existing content are the user's. */
export function refusedSteps(steps: readonly WriteStep[], domOf: (step: WriteStep) => string): readonly RefusedStep[] {
  return steps.flatMap((step) => {
    const dom = step.action === 'insert' || step.action === 'update' ? domOf(step) : '';
    if (dom === '') return [];
    const existing = new Set([...existingContent(step.before?.dom ?? ''), ...(step.existing ?? [])]);
    const refusal = refusalOf(dom, existing);
    return refusal ? [{ step, refusal }] : [];
  });
}

/** The error for content that is refused before anything was sent. */
export const unsafeToSend = ({ refusal }: RefusedStep): ToolError =>
  new ToolError('unsafe_markdown', `${refusal.what}; nothing was written`, refusal.instead);

/** Steps whose block is neither what was planned nor SiYuan's form of it; empty unless all of them are new or changed blocks. */
export function deviatingSteps(steps: readonly WriteStep[], states: ReadonlyMap<string, BlockState>): readonly RefusedStep[] {
  const wrong = steps.filter((step) => states.get(step.blockId)?.result === 'different');
  if (!wrong.every(({ action }) => action === 'insert' || action === 'update')) return [];
  const refusal: Refusal = { what: 'a block is not what was planned', instead: 'read the document, then write the block in another way' };
  return wrong.map((step) => ({ step, refusal }));
}

interface RolledBack {
  /** States of the refused blocks: absent if they are gone, or as they were before. */
  readonly states: ReadonlyMap<string, BlockState>;
  readonly error: ToolError;
}

/** Asked twice: a lost answer must not leave something in a note that would run. */
const ATTEMPTS = 2;

function stateAfter(step: WriteStep, found: BlockState): BlockState {
  if (found.result !== 'applied') return { ...found, result: 'different' };
  return { result: 'absent', dom: step.before?.dom ?? '', hash: step.before?.hash ?? '' };
}

/**
 * Rolls back blocks that the kernel stored differently than they were sent: a new block is deleted, a changed one is restored. Rejects if
 * SiYuan cannot be reached.
 */
export async function rollBack(
  writer: BlockWriter,
  refused: readonly RefusedStep[],
  code: 'unsafe_markdown' | 'kernel_refused',
): Promise<RolledBack> {
  const steps = refused.map(({ step }) => step);
  const writes = steps.flatMap((step) => step.writes).map(({ operation, inverse }) => ({ operation: inverse, inverse: operation }));
  const expected = new Map(steps.map((step) => [step.blockId, step.before?.dom ?? null] as const));
  let found: ReadonlyMap<string, BlockState> = new Map();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      await writer.send([...writes].reverse());
      found = await writer.check(expected);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
    if ([...found.values()].every((state) => state.result === 'applied') && found.size > 0) break;
  }
  const states = new Map(
    steps.flatMap((step) => {
      const state = found.get(step.blockId);
      return state ? [[step.blockId, stateAfter(step, state)] as const] : [];
    }),
  );
  const left = [...states].filter(([, state]) => state.result !== 'absent').map(([id]) => id);
  const what = refused[0]?.refusal.what ?? '';
  const error =
    left.length === 0
      ? new ToolError(code, `as SiYuan stored it, ${what}; the change to the block was undone at once`, refused[0]?.refusal.instead ?? '')
      : new ToolError(
          'raced',
          `as SiYuan stored it, ${what}; the change could not be undone`,
          `tell the user to delete block ${left.join(', ')}`,
        );
  return { states, error };
}
