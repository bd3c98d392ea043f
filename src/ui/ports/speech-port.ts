import type { MediaFile } from '../../model/media/media-model.ts';

export type SpeechUse = 'speechToText' | 'textToSpeech';

/** A model of a provider, by the name that goes over the wire. */
export interface SpeechModel {
  readonly providerId: string;
  readonly model: string;
  readonly voice?: string | undefined;
}

/** Speech, with the models chosen for it in the settings. What rejects rejects with ToolError. */
export interface SpeechPort {
  /** For which of the two a model is set; read again after each change of the settings. */
  available(): { readonly transcribe: boolean; readonly speak: boolean };
  providers(): readonly { readonly id: string; readonly name: string }[];
  model(use: SpeechUse): SpeechModel | undefined;
  /** undefined: none. */
  setModel(use: SpeechUse, model: SpeechModel | undefined): Promise<void>;
  /** The words of a recording; '' where nobody spoke. */
  transcribe(recording: MediaFile, signal: AbortSignal): Promise<string>;
  /** A text of any length, spoken. */
  speak(text: string, signal: AbortSignal): Promise<MediaFile>;
  /** Saves a recording as a file of the workspace; returns its path, `assets/…`. */
  save(recording: MediaFile, signal: AbortSignal): Promise<string>;
}
