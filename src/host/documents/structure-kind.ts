import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import type { Access, OneTimeGrant } from '../access/access.ts';
import type { StructureStep } from '../journal/structure-journal.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { StructureRoutes } from '../kernel/structure-routes.ts';

export interface StepDeps {
  readonly routes: KernelRoutes;
  readonly structure: StructureRoutes;
  readonly access: Access;
}

/** What stands now, against what a step says. */
export interface Observation {
  /** `partly`: some of it was carried out. `other`: neither as before nor as meant. `gone`: the thing itself is not there. */
  readonly at: 'before' | 'after' | 'partly' | 'other' | 'gone';
  /** In words; null for gone. */
  readonly now: string | null;
}

export function observed(before: boolean, after: boolean): Observation['at'] {
  if (before) return 'before';
  return after ? 'after' : 'other';
}

/** How one kind of step is allowed, looked at, carried out and undone. What stands is always read from the kernel. */
export interface StepKind<S extends StructureStep> {
  /** Rights at the time of writing, and what must still be so; rejects as NotesPort's methods do. */
  allow(step: S, signal: AbortSignal, grant: OneTimeGrant | undefined): Promise<void>;
  observe(step: S, signal: AbortSignal): Promise<Observation>;
  /** Carries it out; gives the step with what became known by that. Not cut off half-way. */
  run(step: S): Promise<S>;
  /** Puts it back as it was; none, or what is not as it was and why. */
  revert(step: S, signal: AbortSignal): Promise<readonly UndoReason[]>;
  /** As it was before, in words; null where there was nothing. */
  wordsBefore(step: S): string | null;
}
