import type { RequestWindow } from '../tools/chain/model-requests.ts';
import { ToolError } from '../tools/contract/errors.ts';
import type { ChatOption, Complete, CompletionRequest, CompletionResult } from '../tools/contract/messages.ts';
import type { Purpose } from './budget/usage.ts';
import type { MediaModel } from './media/media-model.ts';
import type { ModalType } from './modal-type.ts';

/** What a chat needs of a model. `label` is shown to people, `model` goes over the wire and is kept as the answer's author. */
export interface LanguageModel {
  readonly label: string;
  readonly model: string;
  /** Default: chat. */
  readonly type?: ModalType;
  /** Called instead of `complete` where its type is not chat. */
  readonly media?: MediaModel;
  readonly complete: Complete;
  /** What `complete` would send for a request, byte for byte; nothing is sent. Rejects as `complete` does. Absent: not known. */
  readonly prepare?: Prepare;
  /** Whether the host had to forward the last request, so that the answer arrived all at once. Absent: never. */
  readonly forwarded?: () => boolean;
  /** The same model within the same turn's budget, its requests recorded as something else. Absent: nothing is recorded. */
  readonly recordedAs?: (purpose: Purpose) => LanguageModel;
  /**
   * Whether the notes are searched before it is asked, so that it need not call a tool for that; where nobody has said so, only if it could
   * search them `unasked`. Absent: no.
   */
  readonly searchFirst?: (unasked: boolean) => boolean;
  /** How long a request may be; absent: nobody knows. */
  readonly window?: RequestWindow;
}

/** A request as it leaves. */
export interface PreparedRequest {
  readonly address: string;
  /** The body: JSON. */
  readonly body: string;
  /** It asks for a summary of older messages, with which the question itself goes after it. */
  readonly summarizes?: boolean;
}
export type Prepare = (request: CompletionRequest, signal: AbortSignal) => Promise<PreparedRequest>;

/** What a model would send; where it does not tell, asking it rejects. */
export const prepareOf = ({ prepare }: Pick<LanguageModel, 'prepare'>): Prepare =>
  prepare ?? (() => Promise.reject(new ToolError('internal', 'this model does not tell what it sends', 'choose another model')));

/** Where a model is reached. `apiKey` may be empty: a local server asks for none. */
export interface ModelSettings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
  /** What people call it; the model's own name when absent. */
  readonly label?: string;
  /** Its window as SiYuan's settings give it; tokens. */
  readonly window?: number;
  /** Sent with every request; a request's own options win. */
  readonly chatOption?: ChatOption;
}

/**
 * The connection broke, or turned to rubbish, after a part of the answer had arrived. The part is kept here as well as in
 * the deltas that were already reported, so that nothing which the user saw has to disappear.
 */
export class InterruptedAnswer extends ToolError {
  readonly partial: CompletionResult;

  constructor(message: string, next: string, partial: CompletionResult, detail?: string) {
    super('model_interrupted', message, next, detail);
    this.partial = partial;
  }
}

/** The error of an interrupted answer with its text rewritten; any other error unchanged. */
export function withPartial(error: unknown, rewrite: (partial: CompletionResult) => CompletionResult): unknown {
  if (!(error instanceof InterruptedAnswer)) return error;
  return new InterruptedAnswer(error.message, error.next, rewrite(error.partial), error.detail);
}
