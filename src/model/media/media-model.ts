import type { ChatOption, Usage } from '../../tools/contract/messages.ts';
import type { OnRetry } from '../retrying.ts';

export interface MediaFile {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/** The largest recording that services accept, in bytes; OpenAI refuses more. */
export const MAX_RECORDING_BYTES = 25 * 1024 * 1024;

export interface MadePictures {
  /** Never empty. */
  readonly pictures: readonly MediaFile[];
  readonly usage?: Usage;
}

export interface Transcript {
  /** May be empty: nobody spoke. */
  readonly text: string;
  readonly usage?: Usage;
}

/** Pictures and speech. An endpoint gets the options it knows; each method retries a busy service and rejects like a chat model. */
export interface MediaModel {
  generateImages(prompt: string, options: ChatOption, signal: AbortSignal, onRetry?: OnRetry): Promise<MadePictures>;
  /** Edits `pictures` as `prompt` says; a model that accepts several makes one picture of them. */
  editImages(
    prompt: string,
    pictures: readonly MediaFile[],
    options: ChatOption,
    signal: AbortSignal,
    onRetry?: OnRetry,
  ): Promise<MadePictures>;
  transcribe(recording: MediaFile, options: ChatOption, signal: AbortSignal, onRetry?: OnRetry): Promise<Transcript>;
  /** A text of any length: one that is too long for one request is spoken in several. */
  speak(text: string, options: ChatOption, signal: AbortSignal, onRetry?: OnRetry): Promise<MediaFile>;
}
