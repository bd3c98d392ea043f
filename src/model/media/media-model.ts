import type { ChatOption, Usage } from '../../tools/contract/messages.ts';
import type { OnRetry } from '../retrying.ts';

/** A file as it is sent or received. */
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

/**
 * Models for pictures and speech. `options` are those of a chat: those that the endpoint knows are sent
 * (`size`, `quality`, `voice`, `language`, …). A busy service is retried as for an answer, with `onRetry` before each wait. Each method
 * rejects with ToolError, with the codes of a chat model.
 */
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
