import type { MediaFile } from '../../model/media/media-model.ts';

/** Speech by the models that the settings name for it. What rejects rejects with ToolError. */
export interface SpeechPort {
  /** Which of the two a model is set for; asked anew after each change of the settings. */
  available(): { readonly transcribe: boolean; readonly speak: boolean };
  /** The words of a recording; '' where nobody spoke. */
  transcribe(recording: MediaFile, signal: AbortSignal): Promise<string>;
  /** A text of any length, spoken. */
  speak(text: string, signal: AbortSignal): Promise<MediaFile>;
  /** Keeps a recording as a file of the workspace; gives its path, `assets/…`. */
  save(recording: MediaFile, signal: AbortSignal): Promise<string>;
}
