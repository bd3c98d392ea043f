import { toToolError } from '../tools/errors.ts';
import type { Clock, EditingProbe, UndoReport, UndoState, WriteHistory } from '../tools/ports.ts';
import { timestamp } from './block-dom.ts';
import { hashOfBlock } from './block-hash.ts';
import { asWritable, type BlockWrite, type BlockWriter, deleteWrite, isSameBlock, MAX_OPERATIONS, updateWrite } from './block-writer.ts';
import { KernelRefusal } from './kernel-client.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import { awaitCaret } from './typing-guard.ts';
import type { JournalEntry, JournalOperation, JournalRecord, WriteJournal } from './write-journal.ts';

export interface WriteHistoryDeps {
  readonly routes: KernelRoutes;
  readonly writer: BlockWriter;
  readonly journal: WriteJournal;
  readonly probe: EditingProbe;
  readonly clock: Clock;
  readonly lock: <T>(run: () => Promise<T>) => Promise<T>;
}

type Conflict = UndoReport['conflicts'][number];
interface Step {
  readonly operation: JournalOperation;
  readonly write: BlockWrite;
  /** DOM that shall stand after the undo; null for gone. */
  readonly goal: string | null;
}

const CHANGED = 'changed since it was written; it was left as it is';
const GONE = 'removed since it was written';
/** What was never read back is compared with what was sent; the kernel may draw it a little otherwise. */
const isOurWriting = (operation: JournalOperation, now: string): boolean =>
  operation.result === 'unknown' ? isSameBlock(operation.after.dom, now) : hashOfBlock(now) === operation.after.hash;
const wasWritten = (operation: JournalOperation): boolean => operation.result === 'applied' || operation.result === 'unknown';
const isOpen = (entry: JournalEntry): boolean =>
  entry.undo?.state !== 'done' && (entry.operations.some(wasWritten) || entry.document.created !== null || entry.document.id === null);

export function createWriteHistory(deps: WriteHistoryDeps): WriteHistory {
  const { routes, writer, journal, clock } = deps;

  /** What is left to do for one operation, judged by what stands now: so a second undo, or one after a crash, does nothing twice. */
  async function planStep(operation: JournalOperation, now: string, signal: AbortSignal): Promise<Step | 'done' | Conflict> {
    const { blockId, before } = operation;
    if (now === '') return operation.action === 'insert' ? 'done' : { blockId, reason: GONE };
    const hash = hashOfBlock(now);
    if (before && hash === before.hash) return 'done';
    if (!isOurWriting(operation, now)) return { blockId, reason: CHANGED };
    if (before) {
      const dom = asWritable(before.dom, timestamp(clock));
      return { operation, write: updateWrite(blockId, dom, now), goal: before.dom };
    }
    const place = await placeOf(blockId, signal);
    return { operation, write: deleteWrite(blockId, now, place), goal: null };
  }

  /** For the editor's Ctrl+Z after our undo; a block at the top of its document is found in one request. */
  async function placeOf(id: string, signal: AbortSignal): Promise<{ previousID: string } | { parentID: string }> {
    const { rootID } = await routes.blockInfo(id, signal);
    const ids = (await routes.children(rootID, signal)).map((child) => child.id);
    const previous = ids[ids.indexOf(id) - 1];
    return previous === undefined ? { parentID: rootID } : { previousID: previous };
  }

  async function send(steps: readonly Step[]): Promise<{ restored: string[]; conflicts: Conflict[] }> {
    const restored: string[] = [];
    const conflicts: Conflict[] = [];
    for (let at = 0; at < steps.length; at += MAX_OPERATIONS) {
      const part = steps.slice(at, at + MAX_OPERATIONS);
      await writer.send(part.map((step) => step.write));
      const states = await writer.check(new Map(part.map((step) => [step.operation.blockId, step.goal])));
      for (const { operation } of part) {
        if (states.get(operation.blockId)?.result === 'applied') restored.push(operation.blockId);
        else conflicts.push({ blockId: operation.blockId, reason: 'SiYuan did not take it back; look at the block' });
      }
    }
    return { restored, conflicts };
  }

  async function hasOtherChildren(notebook: string, id: string, signal: AbortSignal): Promise<boolean> {
    const { path } = await routes.blockInfo(id, signal);
    return (await routes.documentsAt(notebook, path, signal)).length > 0;
  }

  async function isMissing(id: string, signal: AbortSignal): Promise<boolean> {
    try {
      await routes.blockInfo(id, signal);
      return false;
    } catch (error) {
      if (error instanceof KernelRefusal && error.code !== 'read_only') return true;
      throw error;
    }
  }

  /** True when the document holds nothing but what we wrote, unchanged, and what its template put there. */
  async function isOurs(entry: JournalEntry, id: string, signal: AbortSignal): Promise<boolean> {
    if (await hasOtherChildren(entry.notebook, id, signal)) return false;
    const children = await routes.children(id, signal);
    const ids = children.map((child) => child.id);
    const doms = await routes.doms(ids, signal);
    const ours = new Map(entry.operations.map((operation) => [operation.blockId, operation]));
    const baseline = new Map(entry.document.created?.baseline.map((each) => [each.id, each.hash]));
    return children.every((child) => {
      const dom = doms[child.id] ?? '';
      const operation = ours.get(child.id);
      if (operation) return isOurWriting(operation, dom);
      // SiYuan puts an empty paragraph where nothing is left.
      return baseline.get(child.id) === hashOfBlock(dom) || (child.type === 'p' && `${child.content}${child.markdown}`.trim() === '');
    });
  }

  async function removeCreated(entry: JournalEntry, signal: AbortSignal): Promise<{ removed: string[]; conflicts: Conflict[] } | 'keep'> {
    const { id, created } = entry.document;
    if (!created || id === null) return 'keep';
    if (await isMissing(id, signal)) return { removed: [], conflicts: [] };
    if (!(await isOurs(entry, id, signal))) return 'keep';
    const removed = [id];
    await routes.removeDocument(id, signal);
    for (const parent of [...created.parents].reverse()) {
      const empty = { ...entry, operations: [], document: { id: parent, path: '', created: { parents: [], baseline: [] } } };
      if ((await isMissing(parent, signal)) || !(await isOurs(empty, parent, signal))) break;
      await routes.removeDocument(parent, signal);
    }
    return { removed, conflicts: [] };
  }

  async function undoBlocks(entry: JournalEntry, signal: AbortSignal): Promise<{ restored: string[]; conflicts: Conflict[] }> {
    const operations = entry.operations.filter(wasWritten).reverse();
    const doms = await routes.doms(
      operations.map((operation) => operation.blockId),
      signal,
    );
    const steps: Step[] = [];
    const conflicts: Conflict[] = [];
    for (const operation of operations) {
      const step = await planStep(operation, doms[operation.blockId] ?? '', signal);
      if (step === 'done') continue;
      if ('reason' in step) conflicts.push(step);
      else steps.push(step);
    }
    const sent = await send(steps);
    return { restored: sent.restored, conflicts: [...conflicts, ...sent.conflicts] };
  }

  async function undoEntry(record: JournalRecord, signal: AbortSignal): Promise<{ restored: string[]; conflicts: Conflict[] }> {
    const { entry } = record;
    const ids = entry.operations.filter(wasWritten).map((operation) => operation.blockId);
    await awaitCaret(deps.probe, ids, signal);
    const intent: JournalEntry = { ...entry, undo: { state: 'intent', time: clock.now(), restored: [], conflicts: [] } };
    const begun = await journal.update(record, intent);
    const whole = await removeCreated(entry, signal);
    let result: { restored: string[]; conflicts: Conflict[] };
    if (whole !== 'keep') result = { restored: [...whole.removed, ...ids], conflicts: whole.conflicts };
    else {
      result = await undoBlocks(entry, signal);
      if (entry.document.created && entry.document.id !== null) {
        result.conflicts.push({ blockId: entry.document.id, reason: 'the document was kept: it holds more than what was written' });
      } else if (entry.document.id === null) {
        result.conflicts.push({ blockId: '', reason: `whether "${entry.document.path}" was made is not known; look for it` });
      }
    }
    await journal.update(begun, {
      ...entry,
      undo: { state: 'done', time: clock.now(), restored: result.restored, conflicts: result.conflicts },
    });
    return result;
  }

  async function undo(sessionId: string, nodeId: string, signal: AbortSignal): Promise<UndoReport> {
    const records = (await journal.ofMessage(sessionId, nodeId)).filter((record) => isOpen(record.entry)).reverse();
    const restored: string[] = [];
    const conflicts: Conflict[] = [];
    for (const record of records) {
      if (signal.aborted) throw toToolError(signal.reason);
      const result = await undoEntry(record, signal);
      restored.push(...result.restored);
      conflicts.push(...result.conflicts);
    }
    return { restored: [...new Set(restored)], conflicts };
  }

  async function state(sessionId: string, nodeId: string): Promise<UndoState> {
    const records = await journal.ofMessage(sessionId, nodeId);
    const open = records.filter((record) => isOpen(record.entry));
    const ids = new Set(records.flatMap((record) => record.entry.operations.filter(wasWritten).map((operation) => operation.blockId)));
    const uncertain = open.some((record) => record.entry.state !== 'done' || record.entry.undo?.state === 'intent');
    const kind = records.length === 0 ? 'none' : uncertain ? 'partial' : 'exact';
    return { blocks: ids.size, kind, undone: records.length > 0 && open.length === 0 };
  }

  return { state, undo: (sessionId, nodeId, signal) => deps.lock(() => undo(sessionId, nodeId, signal)) };
}
