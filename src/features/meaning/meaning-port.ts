import type { ToolError } from '../../tools/contract/errors.ts';

export const MEANING = { name: 'meaning' } as { readonly name: 'meaning'; readonly type?: MeaningPort };

export interface IndexProgress {
  /** Blocks that have a vector, of those that may be read. */
  readonly done: number;
  readonly total: number;
  readonly isPaused: boolean;
  /** Until all have one; absent before the first. */
  readonly minutes: number | undefined;
  /** What is in the notes is not known yet. */
  readonly isReading: boolean;
  readonly problem: ToolError | undefined;
}

export interface MeaningState {
  /** Whether the model is in the workspace; undefined before that is known. */
  readonly hasModel: boolean | undefined;
  /** On this device. */
  readonly isOn: boolean;
  /** The share of the model that has come. */
  readonly fetched: number | undefined;
  readonly index: IndexProgress | undefined;
  /** In words: why the last thing did not work. */
  readonly problem: string | undefined;
}

/** Vectors on this device, in the panel. Why something does not work is in the state. */
export interface MeaningPort {
  /** Calls back with the state, now and after each change; resolves with a function that stops it. */
  watch(listener: (state: MeaningState) => void): Promise<() => void>;
  /** Fetches the model, and switches it on. */
  fetch(address: string): Promise<void>;
  /** Keeps a file as the model, and switches it on. */
  choose(file: Blob): Promise<void>;
  turn(on: boolean): Promise<void>;
  pause(isPaused: boolean): Promise<void>;
  /** Deletes the model on all devices, and the vectors on this one. */
  remove(): Promise<void>;
}
