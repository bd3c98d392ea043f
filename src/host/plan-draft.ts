import type { ChangePlan, PlanOperation } from '../tools/plans.ts';
import type { Clock, NotebookInfo } from '../tools/ports.ts';
import type { FormulaCheck } from '../tools/safe-content/formulas.ts';
import type { Access } from './access-policy.ts';
import type { Random } from './block-dom.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import type { MarkdownEngine } from './markdown-engine.ts';
import type { NotesReader } from './notes-reader.ts';
import type { Anchor, PlanStore, PreparedOperation, PreparedTarget } from './prepared-plan.ts';
import type { PushLog } from './push-log.ts';

export interface ChangePlannerDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly engine: MarkdownEngine;
  readonly reader: NotesReader;
  readonly clock: Clock;
  readonly random: Random;
  readonly plans: PlanStore;
  readonly pushes: PushLog;
  /** Absent where there is no KaTeX to ask. */
  readonly checkFormula?: FormulaCheck;
}

/** What a plan is made from, before it gets its ids. */
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
  /** The right that the whole plan takes; 'write' when absent. */
  readonly need?: 'delete';
  /** Exact when absent. */
  readonly undo?: ChangePlan['undo'];
}
