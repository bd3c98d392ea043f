import type { ChangePlan, PlanAction, PlanNotice, PlanOperation } from '../contract/plans.ts';
import type { StoredBlock } from './in-memory-markdown.ts';
import type { InMemoryStore, StoredDocument } from './in-memory-store.ts';

/** A plan before it has an id, with what it does to the store. `run` is called once, after every check of rights. */
export interface Draft {
  /** Notebook whose right has to reach; null where no notebook stands yet. */
  readonly notebook: string | null;
  readonly document: ChangePlan['document'];
  readonly operations: readonly PlanOperation[];
  readonly need?: 'write' | 'delete';
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
  extras: Pick<Partial<PlanOperation>, 'requires' | 'from' | 'to' | 'document'> = {},
): PlanOperation {
  return { id: `${action}-${blockId}`, action, blockId, blockType, before, after, requires: [], ...extras };
}

export function notice(code: string, count: number): readonly PlanNotice[] {
  return count > 0 ? [{ code, count }] : [];
}

export const shownDocument = ({ id, title, path }: StoredDocument): ChangePlan['document'] => ({ id, title, path });

export const pathInWords = (store: InMemoryStore, { notebook, path }: Pick<StoredDocument, 'notebook' | 'path'>): string =>
  [store.visibleNotebook(notebook).name, ...path.split('/').filter(Boolean)].join(' › ');

/** The accepted ones of blocks that a plan inserts. */
export function acceptedInserts(blocks: readonly StoredBlock[], accepted: ReadonlySet<string>): readonly StoredBlock[] {
  return blocks.filter(({ id }) => accepted.has(`insert-${id}`));
}
