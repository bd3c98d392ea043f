import type { ChatOption, Usage } from '../../tools/contract/messages.ts';

/** A file as it is sent or as it came. */
export interface MediaFile {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/** Bytes of a recording that services take; OpenAI refuses more. */
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
 * What models for pictures and speech do. `options` are those of a chat: what the endpoint knows of them goes along
 * (`size`, `quality`, `voice`, `language`, …). Each rejects with ToolError, in the codes of a chat model.
 */
export interface MediaModel {
  generateImages(prompt: string, options: ChatOption, signal: AbortSignal): Promise<MadePictures>;
  /** `pictures` are changed as `prompt` says; where the model takes several, it makes one of them. */
  editImages(prompt: string, pictures: readonly MediaFile[], options: ChatOption, signal: AbortSignal): Promise<MadePictures>;
  transcribe(recording: MediaFile, options: ChatOption, signal: AbortSignal): Promise<Transcript>;
  /** A text of any length: what is too long for one request is read in several. */
  speak(text: string, options: ChatOption, signal: AbortSignal): Promise<MediaFile>;
}
