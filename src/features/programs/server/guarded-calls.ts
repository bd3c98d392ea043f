import type { CallEnd, OutsideCalls } from '../../../tools/calls/outside-calls.ts';

export type { CallState } from '../../../tools/calls/outside-calls.ts';

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
  /** Whether what the client says a person answered counts as consent. */
  readonly mayElicit: boolean;
  /** None if the tool that lists them is off, or asks first. */
  recentNotes(signal: AbortSignal): Promise<readonly NoteView[]>;
  /** A note or a block: `text` is all of its Markdown, without marks. Rejects with ToolError. */
  read(where: { readonly id: string } | { readonly path: string }, signal: AbortSignal): Promise<CallEnd>;
  prompts(): Promise<readonly PromptView[]>;
}
