import type { RequestWindow } from '../tools/chain/chain-requests.ts';
import { ToolError } from '../tools/contract/errors.ts';
import type { ChatOption, Complete, CompletionRequest, CompletionResult } from '../tools/contract/messages.ts';
import type { Purpose } from './budget/usage.ts';
import type { MediaModel } from './media/media-model.ts';
import type { ModalType } from './modal-type.ts';
import type { WireProtocol } from './server/wire-protocol.ts';

/** What a chat needs of a model. `label` is shown to people, `model` is sent in requests and saved as the answer's author. */
export interface LanguageModel {
  readonly label: string;
  readonly model: string;
  readonly type?: ModalType;
  /** Called instead of `complete` if its type is not chat. */
  readonly media?: MediaModel;
  readonly complete: Complete;
  /** What `complete` would send for a request, byte for byte; nothing is sent. Rejects like `complete`. Absent: not known. */
  readonly prepare?: Prepare;
  /** Tells if the host forwarded the last request, so that the answer arrived in one piece. Absent: never. */
  readonly forwarded?: () => boolean;
  /** The same model within the same turn's budget, with its requests recorded differently. Absent: nothing is recorded. */
  readonly recordedAs?: (purpose: Purpose) => LanguageModel;
  /** Tells if the notes are searched before the model is asked; without a setting, only if it could search them `unasked`. Absent: no. */
  readonly searchFirst?: (unasked: boolean) => boolean;
  /** It is an agent, with ways to read that are not ours. */
  readonly readsElsewhere?: boolean;
  /** The only project in whose chats it answers; absent: it answers in all. */
  readonly project?: string | undefined;
  /** The maximum length of a request; absent: not known. */
  readonly window?: RequestWindow;
}

export interface PreparedRequest {
  readonly address: string;
  readonly body: string;
  /** It asks for a summary of older messages, after which the question itself is sent. */
  readonly summarizes?: boolean;
}
export type Prepare = (request: CompletionRequest, signal: AbortSignal) => Promise<PreparedRequest>;

export const prepareOf = ({ prepare }: Pick<LanguageModel, 'prepare'>): Prepare =>
  prepare ?? (() => Promise.reject(new ToolError('internal', 'this model cannot show what it would send', 'choose another model')));

/** The address of a model. `apiKey` may be empty: a local server needs none. */
export interface ModelSettings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
  readonly protocol?: WireProtocol;
  /** As SiYuan's settings have them; host-names.ts says what is sent, in the place of the protocol's own of that name. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** How long the provider may be silent, where it is longer than what it would be anyway; milliseconds. */
  readonly timeoutMs?: number;
  readonly label?: string;
  readonly window?: number;
  /** Sent with every request; a request's own options win. */
  readonly chatOption?: ChatOption;
}

/** An answer that broke off; its part is kept here, too, so that nothing the user saw disappears. */
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
