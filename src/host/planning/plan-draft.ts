import type { AssetStore } from '../../chat/ports/assets.ts';
import type { ChangePlan, PlanOperation } from '../../tools/contract/plans.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { Access } from '../access/access.ts';
import type { ContentFilterDeps } from '../content/content-filter.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import type { NotesReader } from '../reading/notes-reader.ts';
import type { Anchor, FileCopy, PlanStore, PreparedOperation, PreparedTarget } from '../transactions/prepared-plan.ts';

export interface ChangePlannerDeps extends ContentFilterDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly reader: NotesReader;
  readonly assets: Pick<AssetStore, 'read'>;
  readonly plans: PlanStore;
  readonly pushes: TransactionLog;
}

export interface PlanDraft {
  readonly tool: string;
  readonly notebook: NotebookInfo;
  readonly document: ChangePlan['document'];
  readonly target: PreparedTarget;
  readonly anchor: Anchor | null;
  readonly shown: readonly PlanOperation[];
  readonly prepared: readonly PreparedOperation[];
  readonly notices: ChangePlan['notices'];
  readonly pushPosition: number;
  readonly signal: AbortSignal;
  /** Containers that moves leave empty, which are removed too. */
  readonly emptied?: readonly string[];
  readonly numbered?: readonly string[];
  /** Files that the blocks name once they are written. */
  readonly copies?: readonly FileCopy[];
  readonly undo?: ChangePlan['undo'];
}
