import type { ElicitInputParams } from '@modelcontextprotocol/server';
import type { CallEnd, OutsideCalls } from '../../../tools/calls/outside-calls.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../../tools/contract/types.ts';

export type { CallState } from '../../../tools/calls/outside-calls.ts';

/** How a client asks its person about a change, and what the person said; null: it cannot be asked so, or nothing was decided. */
export interface ConsentForms {
  readonly formOf: (client: string, request: ApprovalRequest) => ElicitInputParams | null;
  readonly decisionIn: (answer: unknown) => ApprovalDecision | null;
}

/** A note or a prompt for a client. */
export interface PromptView {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

export interface NoteView {
  readonly id: string;
  readonly title: string;
  readonly path: string;
}

/**
 * The tools of a workspace for one client: everything goes through the executor and the rights of the notes. Refusals are ToolErrors with
 * the next step.
 */
export interface GuardedCalls extends Pick<OutsideCalls, 'tools' | 'begin' | 'wait' | 'withdraw' | 'decide'> {
  /** Null: what the client says a person answered does not count as consent. */
  readonly consent: ConsentForms | null;
  /** None if the tool that lists them is off, or asks first. */
  recentNotes(signal: AbortSignal): Promise<readonly NoteView[]>;
  /** A note or a block: `text` is all of its Markdown, without marks. Rejects with ToolError. */
  read(where: { readonly id: string } | { readonly path: string }, signal: AbortSignal): Promise<CallEnd>;
  prompts(): Promise<readonly PromptView[]>;
}
