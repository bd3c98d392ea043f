import { ToolError } from '../../tools/contract/errors.ts';
import type { BlockState } from './block-writer.ts';
import type { WriteStep } from './write-step.ts';

export const partly = ({ code, message }: ToolError, written: number): ToolError =>
  new ToolError(code, `${message}; ${written} blocks had been written before`, 'read the document; Undo reverts what was written');

/** True if the kernel carried out nothing of this step: the block is unchanged. */
function isUntouched(step: WriteStep, state: BlockState | undefined): boolean {
  if (step.action === 'update') return state?.hash === step.before?.hash;
  return state?.result === 'absent';
}

/** What went wrong with a request that was read back; null if everything is as intended. */
export function failureOf(
  steps: readonly WriteStep[],
  states: ReadonlyMap<string, BlockState>,
  foreign: readonly string[],
  sending: ToolError | null,
  written: number,
): ToolError | null {
  const wrong = steps.filter((step) => states.get(step.blockId)?.result !== 'applied');
  if (wrong.length === 0) return null;
  if (foreign.length > 0) {
    return new ToolError(
      'raced',
      `somebody changed block ${foreign[0]} while it was written; both versions are kept in the journal`,
      'read the block again and ask the user which version to keep',
    );
  }
  const untouched = wrong.filter((step) => isUntouched(step, states.get(step.blockId)));
  if (untouched.length === steps.length) {
    if (written > 0) return partly(sending ?? new ToolError('kernel_refused', 'SiYuan did not carry out the whole change', ''), written);
    if (sending) return new ToolError(sending.code, `${sending.message}; none of these blocks was written`, sending.next);
    return new ToolError(
      'kernel_refused',
      'SiYuan did not carry out the change; none of it was written',
      'read the document again and plan the change again',
    );
  }
  if (wrong.some((step) => !untouched.includes(step))) {
    return new ToolError(
      'raced',
      'a block is not as it was written; both versions are kept in the journal',
      'read the block again and ask the user',
    );
  }
  return new ToolError(
    'kernel_refused',
    `SiYuan wrote only ${steps.length - wrong.length} of ${steps.length} blocks`,
    'read the document; Undo reverts what was written',
  );
}
