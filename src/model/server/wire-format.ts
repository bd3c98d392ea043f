import type { CompletionRequest, CompletionResult, SignedThoughts } from '../../tools/contract/messages.ts';
import type { AnswerAssembler } from '../answer/answer-assembler.ts';
import type { ModelSettings } from '../language-model.ts';
import type { RequestBody } from '../request-body.ts';

export interface AnswerReader {
  /** Takes an event of the stream, or a whole answer. True: nothing more comes. */
  take(event: unknown): boolean;
  /** What its server signed or encrypted, to go back with the calls; undefined where there is nothing. */
  readonly thoughts: SignedThoughts | undefined;
}

/** How a protocol writes requests and answers. One of these belongs to one model: it remembers what its server refused. */
export interface WireFormat {
  /** Headers besides those of the client; null removes one. */
  headers(base: string, apiKey: string): Readonly<Record<string, string | null>>;
  readonly route: (base: string) => string;
  readonly listRoute: (base: string) => string;
  /** Where a hosted server describes one model; absent where only the list does. */
  readonly modelRoute?: (base: string, model: string) => string;
  body(request: CompletionRequest): RequestBody;
  reader(assembler: AnswerAssembler): AnswerReader;
  /** True if the request was refused, in these words, because of something that is left out from now on. */
  dropRefused(words: string): boolean;
  /** Leaves out from now on what we added to requests; returns the way back, null where nothing of it is left. */
  dropAdded(words: string): (() => void) | null;
}

export type MakeWireFormat = (settings: ModelSettings) => WireFormat;

/** An answer whose thoughts go back with its first call. */
export function withThoughts(result: CompletionResult, thoughts: SignedThoughts | undefined): CompletionResult {
  const [first, ...others] = result.tool_calls;
  if (thoughts === undefined || first === undefined) return result;
  return { ...result, tool_calls: [{ ...first, extra_fields: { ...first.extra_fields, thoughts } }, ...others] };
}
