import type { Clock, UndoReport } from '../tools/ports.ts';
import { timestamp } from './block-dom.ts';
import { hashOfBlock } from './block-hash.ts';
import { asWritable, type BlockWrite, type BlockWriter, deleteWrite, isSameBlock, MAX_OPERATIONS, updateWrite } from './block-writer.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import type { JournalEntry, JournalOperation } from './write-journal.ts';

export interface BlockUndoDeps {
  readonly routes: KernelRoutes;
  readonly writer: BlockWriter;
  readonly clock: Clock;
}

export type Conflict = UndoReport['conflicts'][number];

/** Puts the blocks of one write back as they were; what somebody changed since stays and is reported. */
export interface BlockUndo {
  undo(entry: JournalEntry, signal: AbortSignal): Promise<{ restored: string[]; conflicts: Conflict[] }>;
}

interface Step {
  readonly operation: JournalOperation;
  readonly write: BlockWrite;
  /** DOM that shall stand after the undo; null for gone. */
  readonly goal: string | null;
}

const CHANGED = 'changed since it was written; it was left as it is';
const GONE = 'removed since it was written';
/** What was never read back is compared with what was sent; the kernel may draw it a little otherwise. */
export const isOurWriting = (operation: JournalOperation, now: string): boolean =>
  operation.result === 'unknown' ? isSameBlock(operation.after.dom, now) : hashOfBlock(now) === operation.after.hash;
export const wasWritten = (operation: JournalOperation): boolean => operation.result === 'applied' || operation.result === 'unknown';

class KernelBlockUndo implements BlockUndo {
  private readonly deps: BlockUndoDeps;

  constructor(deps: BlockUndoDeps) {
    this.deps = deps;
  }

  async undo(entry: JournalEntry, signal: AbortSignal): Promise<{ restored: string[]; conflicts: Conflict[] }> {
    const operations = entry.operations.filter(wasWritten).reverse();
    const doms = await this.deps.routes.doms(
      operations.map((operation) => operation.blockId),
      signal,
    );
    const steps: Step[] = [];
    const conflicts: Conflict[] = [];
    for (const operation of operations) {
      const step = await this.planStep(operation, doms[operation.blockId] ?? '', signal);
      if (step === 'done') continue;
      if ('reason' in step) conflicts.push(step);
      else steps.push(step);
    }
    const sent = await this.send(steps);
    return { restored: sent.restored, conflicts: [...conflicts, ...sent.conflicts] };
  }

  /** What is left to do for one operation, judged by what stands now: so a second undo, or one after a crash, does nothing twice. */
  private async planStep(operation: JournalOperation, now: string, signal: AbortSignal): Promise<Step | 'done' | Conflict> {
    const { blockId, before } = operation;
    if (now === '') return operation.action === 'insert' ? 'done' : { blockId, reason: GONE };
    const hash = hashOfBlock(now);
    if (before && hash === before.hash) return 'done';
    if (!isOurWriting(operation, now)) return { blockId, reason: CHANGED };
    if (before) {
      const dom = asWritable(before.dom, timestamp(this.deps.clock));
      return { operation, write: updateWrite(blockId, dom, now), goal: before.dom };
    }
    const place = await this.placeOf(blockId, signal);
    return { operation, write: deleteWrite(blockId, now, place), goal: null };
  }

  /** For the editor's Ctrl+Z after our undo; a block at the top of its document is found in one request. */
  private async placeOf(id: string, signal: AbortSignal): Promise<{ previousID: string } | { parentID: string }> {
    const { rootID } = await this.deps.routes.blockInfo(id, signal);
    const ids = (await this.deps.routes.children(rootID, signal)).map((child) => child.id);
    const previous = ids[ids.indexOf(id) - 1];
    return previous === undefined ? { parentID: rootID } : { previousID: previous };
  }

  private async send(steps: readonly Step[]): Promise<{ restored: string[]; conflicts: Conflict[] }> {
    const restored: string[] = [];
    const conflicts: Conflict[] = [];
    for (let at = 0; at < steps.length; at += MAX_OPERATIONS) {
      const part = steps.slice(at, at + MAX_OPERATIONS);
      await this.deps.writer.send(part.map((step) => step.write));
      const states = await this.deps.writer.check(new Map(part.map((step) => [step.operation.blockId, step.goal])));
      for (const { operation } of part) {
        if (states.get(operation.blockId)?.result === 'applied') restored.push(operation.blockId);
        else conflicts.push({ blockId: operation.blockId, reason: 'SiYuan did not take it back; look at the block' });
      }
    }
    return { restored, conflicts };
  }
}

export function createBlockUndo(deps: BlockUndoDeps): BlockUndo {
  return new KernelBlockUndo(deps);
}
