import type { ChangePlan } from '../../tools/contract/plans.ts';
import type { WriteOrigin } from '../../tools/contract/ports.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { idsIn, likeOutside } from '../blocks/emptied-container.ts';
import { finishedState, type JournalEntry, type JournalOperation } from '../journal/write-journal.ts';
import type { StampedOperation } from '../transactions/plan-steps.ts';
import type { RunOutcome } from '../transactions/write-run.ts';
import type { WriteStep } from '../transactions/write-step.ts';

type Journaled = Pick<WriteStep, 'action' | 'blockId' | 'dom' | 'before' | 'from' | 'to' | 'along' | 'shell' | 'listKind'>;

export function journaled(step: Journaled | StampedOperation): JournalOperation {
  const { action, blockId, dom, before } = step;
  const { from, to, along, shell, listKind }: Partial<Journaled> = step;
  return {
    action,
    blockId,
    before,
    after: { dom, hash: dom === '' ? '' : hashOfBlock(dom) },
    result: 'unknown',
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(along ? { along: [...along] } : {}),
    ...(shell === undefined ? {} : { shell }),
    ...(listKind ? { listKind } : {}),
  };
}

/** The entry that is written before the first request to the kernel. */
export function intentEntry(write: {
  readonly origin: WriteOrigin;
  readonly plan: ChangePlan;
  readonly operations: JournalOperation[];
  readonly documentId: string | null;
  readonly path: string;
  readonly time: number;
}): JournalEntry {
  const { plan, operations, documentId, path, time } = write;
  const { byPerson: _byPerson, ...origin } = write.origin;
  return {
    schema: 1,
    ...origin,
    tool: plan.tool,
    time,
    state: 'intent',
    notebook: plan.notebook.id,
    document: { id: documentId, path, created: null },
    operations,
    ...(plan.undo.kind === 'exact' ? {} : { undoKind: plan.undo.kind }),
  };
}

/** With the real content of the block. A container into which somebody wrote contains that: it needs no placeholder to be restored. */
function withOverwritten(operation: JournalOperation, shell: string | undefined, overwritten: string): JournalOperation {
  const isEmptied = shell !== undefined && idsIn(overwritten).length <= 1;
  const dom = isEmptied ? likeOutside(operation.before?.dom ?? '', overwritten) : overwritten;
  return { ...operation, ...(isEmptied ? { shell } : {}), before: { dom, hash: hashOfBlock(dom) }, overwrote: true };
}

export function closedEntry(intent: JournalEntry, outcome: RunOutcome): JournalEntry {
  const operations = intent.operations.map((operation) => {
    const state = outcome.states.get(operation.blockId);
    const overwritten = state?.result === 'absent' ? undefined : outcome.overwritten?.get(operation.blockId);
    const { shell, ...rest } = operation;
    const stands = overwritten === undefined ? operation : withOverwritten(rest, shell, overwritten);
    if (!state) return stands;
    const found = state.dom !== '' || (operation.action === 'delete' && state.result === 'applied');
    return { ...stands, result: state.result, ...(found ? { after: { dom: state.dom, hash: state.hash } } : {}) };
  });
  const state = finishedState(operations, outcome.error);
  return { ...intent, state, operations };
}
