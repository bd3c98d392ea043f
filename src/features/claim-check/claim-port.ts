import type { CheckedClaim } from '../../chat/session/types.ts';

export interface AskedClaim {
  readonly nodeId: string;
  readonly sentence: string;
  readonly blocks: readonly string[];
}

/** What the model of the open chat says of a sentence. */
export interface ClaimPort {
  /** One request, kept with the answer. Rejects with ToolError. */
  ask(claim: AskedClaim, signal: AbortSignal): Promise<CheckedClaim>;
  /** What was said of the sentences of an answer. */
  of(nodeId: string): Promise<readonly CheckedClaim[]>;
}

export const CLAIMS: { readonly name: string; readonly type?: ClaimPort } = { name: 'claim-check' };
