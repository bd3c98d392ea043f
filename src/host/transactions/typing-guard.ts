import { ToolError } from '../../tools/contract/errors.ts';
import type { EditingProbe } from '../../tools/contract/ports.ts';
import { linkSignals } from '../../tools/util/abort.ts';

/** Waits until the caret has left the blocks, since redrawing loses typed characters. Rejects with `not_approved` or `aborted`. */
export async function awaitCaret(probe: EditingProbe, touched: readonly string[], signal: AbortSignal): Promise<void> {
  const caret = probe.caretBlocks();
  const busy = touched.filter((id) => caret.includes(id));
  if (busy.length === 0) return;
  const stop = new AbortController();
  const either = linkSignals([signal, stop.signal]);
  try {
    const answer = await Promise.race([probe.whenLeft(busy, either.signal).then(() => 'left' as const), probe.ask(busy, either.signal)]);
    if (answer === 'cancel') {
      throw new ToolError(
        'not_approved',
        'the user is typing in this block and did not want it changed now',
        'ask the user before trying again',
      );
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new ToolError('aborted', 'the call was stopped before anything was written', 'ask the user whether to go on');
  } finally {
    stop.abort();
    either.release();
  }
}
