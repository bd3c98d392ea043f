import { ToolError } from '../../tools/contract/errors.ts';
import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import type { Access, OneTimeGrant } from '../access/access.ts';
import type { StructureStep } from '../journal/structure-journal.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { StructureRoutes } from '../kernel/structure-routes.ts';
import { requireReadable } from '../reading/readable-place.ts';

export interface StepDeps {
  readonly routes: KernelRoutes;
  readonly structure: StructureRoutes;
  readonly access: Access;
}

export interface Observation {
  /** `partly`: some of it was carried out. `other`: neither the state before nor the intended one. `gone`: the subject does not exist. */
  readonly at: 'before' | 'after' | 'partly' | 'other' | 'gone';
  /** As text for people; null for gone. */
  readonly now: string | null;
}

export const GONE: Observation = { at: 'gone', now: null };

export function observed(before: boolean, after: boolean): Observation['at'] {
  if (before) return 'before';
  return after ? 'after' : 'other';
}

/** Steps next to each other that one request can carry out. Each can be handled by itself as well. */
export interface JoinedSteps<S> {
  readonly most: number;
  /** Tells if one request may carry out both, one after the other. */
  joins(one: S, next: S): boolean;
  allow(steps: readonly S[], signal: AbortSignal, grant: OneTimeGrant | undefined): Promise<void>;
  observe(steps: readonly S[], signal: AbortSignal): Promise<readonly Observation[]>;
  /** As `run` of each. Where it rejects, any of them may have been carried out. */
  run(steps: readonly S[]): Promise<readonly S[]>;
  revert(steps: readonly S[], signal: AbortSignal): Promise<readonly (readonly UndoReason[])[]>;
}

/** Allows, observes, carries out and undoes one kind of step, from the current state in the kernel. */
export interface StepKind<S extends StructureStep> {
  /** Checks the rights at the time of writing and the preconditions; rejects like the methods of NotesPort. */
  allow(step: S, signal: AbortSignal, grant: OneTimeGrant | undefined): Promise<void>;
  observe(step: S, signal: AbortSignal): Promise<Observation>;
  /** Carries it out and returns the step with what became known. Cannot be aborted half-way. */
  run(step: S): Promise<S>;
  /** Restores the state before. Returns an empty list, or the reasons why it could not. */
  revert(step: S, signal: AbortSignal): Promise<readonly UndoReason[]>;
  /** The state before, as text; null if there was nothing. */
  wordsBefore(step: S): string | null;
}

/** `allow` of a step that changes one block: it may still be written, and is still in its document. */
export const allowOnBlock =
  ({ routes, access }: Pick<StepDeps, 'routes' | 'access'>) =>
  async (
    { blockId, documentId }: { readonly blockId: string; readonly documentId: string },
    signal: AbortSignal,
    grant: OneTimeGrant | undefined,
  ): Promise<void> => {
    const place = await access.locate(blockId, 'write', signal, grant);
    if (place.documentId !== documentId)
      throw new ToolError('stale', `block ${blockId} was moved to another document`, 'read it again and plan the change again');
    await requireReadable({ routes, access }, place, signal);
  };
