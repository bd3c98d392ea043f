import { ToolError } from '../contract/errors.ts';
import type { ChangePlan, PlanAction, PlanNotice, PlanOperation } from '../contract/plans.ts';
import type { StoredBlock } from './in-memory-markdown.ts';
import type { InMemoryStore, StoredDocument } from './in-memory-store.ts';

/** A plan before it has an id, with what it does to the store. `run` is called once, after every check of rights. */
export interface Draft {
  /** Notebook whose right must suffice; null if there is no notebook yet. */
  readonly notebook: string | null;
  readonly document: ChangePlan['document'];
  readonly operations: readonly PlanOperation[];
  /** Ids in addition to those of the operations that must be readable when it is applied. */
  readonly names?: readonly string[];
  /** Of one that deletes nothing; 'write' when absent. */
  readonly need?: 'read' | 'write';
  readonly undo?: ChangePlan['undo'];
  readonly notices?: readonly PlanNotice[];
  readonly run: (accepted: ReadonlySet<string>) => { readonly documentId: string; readonly blockIds: readonly string[] };
}

export function operation(
  action: PlanAction,
  blockId: string,
  blockType: string,
  before: string | null,
  after: string | null,
  extras: Pick<Partial<PlanOperation>, 'requires' | 'attributes' | 'path' | 'position' | 'document' | 'removes'> = {},
): PlanOperation {
  return { id: `${action}-${blockId}`, action, blockId, blockType, before, after, requires: [], ...extras };
}

export function notice(code: string, count: number): readonly PlanNotice[] {
  return count > 0 ? [{ code, count }] : [];
}

export const shownDocument = ({ id, title, path }: StoredDocument): ChangePlan['document'] => ({ id, title, path });

export const stepsOf = (path: string): readonly string[] => path.split('/').filter(Boolean);

/** The accepted ones of blocks that a plan inserts. */
export function acceptedInserts(blocks: readonly StoredBlock[], accepted: ReadonlySet<string>): readonly StoredBlock[] {
  return blocks.filter(({ id }) => accepted.has(`insert-${id}`));
}

function isInSight(store: InMemoryStore, id: string): boolean {
  try {
    return store.locate(id) !== undefined;
  } catch {
    return false;
  }
}

/** Refuses a plan whose notebook, blocks or documents are gone, hidden or other than they were planned with. */
export function requireUnchanged(store: InMemoryStore, draft: Draft, accepted: ReadonlySet<string>): void {
  const operations = draft.operations.filter(({ id }) => accepted.has(id));
  if (operations.some(({ action }) => action.endsWith('-notebook'))) return;
  if (draft.notebook !== null) store.requireNotebook(draft.notebook);
  const touched = operations.filter(({ action }) => !['insert', 'create-document'].includes(action));
  const ids = [
    ...(draft.document.id === null ? [] : [draft.document.id]),
    ...(draft.names ?? []),
    ...touched.map(({ blockId }) => blockId),
  ];
  const isSame = ({ action, blockId, before }: PlanOperation): boolean => {
    if (action.endsWith('-document')) return store.requireDocument(blockId).path === before;
    return action === 'set-attributes' || store.textOf(blockId) === before;
  };
  if (ids.every((id) => isInSight(store, id)) && touched.every(isSame)) return;
  throw new ToolError('stale', 'something that this change refers to is not as it was', 'read it again and plan the change again');
}
