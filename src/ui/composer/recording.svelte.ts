import { MAX_RECORDING_BYTES, type MediaFile } from '../../model/media/media-model.ts';
import { describeThrown, isAbort, ToolError } from '../../tools/contract/errors.ts';
import { inBackground } from '../../tools/util/notify.ts';

export interface RecordingDeps {
  /** Undefined if the page may not ask: over plain HTTP. */
  readonly devices: () => Pick<MediaDevices, 'getUserMedia'> | undefined;
  readonly recorder: (stream: MediaStream) => MediaRecorder;
  readonly transcribe: (recording: MediaFile, signal: AbortSignal) => Promise<string>;
  readonly written: (text: string) => void;
  readonly failed: (error: unknown) => void;
  /** The recording reached the size that services accept, and was stopped. */
  readonly full: () => void;
}

/** Upper bound of the last chunk, which arrives after the stop. */
const RESERVE = 256 * 1024;

/** Bits per second: enough for speech, and 25 MB last an hour and a half. */
export const SPEECH_BITS = 32_000;

/**
 * Dictation into the composer: `idle` → `asking` for the microphone → `recording` → `writing` → `idle`. A recording that could
 * not be transcribed is kept (`failed`), so that nobody must speak twice.
 */
export class Recording {
  state: 'idle' | 'asking' | 'recording' | 'writing' | 'failed' = $state('idle');
  /** Milliseconds since the epoch at which the recording began. */
  began = $state(0);
  bytes = $state(0);
  readonly #deps: RecordingDeps;
  #work = new AbortController();
  #recorder: MediaRecorder | undefined;
  #pieces: Blob[] = [];

  constructor(deps: RecordingDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    if (this.state !== 'idle') return;
    const devices = this.#deps.devices();
    if (!devices) return;
    const { signal } = this.#begin('asking');
    let stream: MediaStream | undefined;
    try {
      stream = await devices.getUserMedia({ audio: true });
      // Cancelled while the browser asked for permission.
      if (signal.aborted) end(stream);
      else this.#record(stream, signal);
    } catch (error) {
      if (stream) end(stream);
      if (signal.aborted) return;
      this.state = 'idle';
      const why = describeThrown(error);
      this.#deps.failed(new ToolError('no_microphone', `the microphone cannot be used: ${why}`, 'allow it for this page, then try again'));
    }
  }

  stop(): void {
    if (this.state === 'recording') this.#recorder?.stop();
  }

  /** Drops the recording, in any state. */
  cancel(): void {
    this.#work.abort();
    const recorder = this.#recorder;
    this.#recorder = undefined;
    if (recorder && recorder.state !== 'inactive') recorder.stop();
    if (recorder) end(recorder.stream);
    this.#pieces = [];
    this.state = 'idle';
  }

  async retry(): Promise<void> {
    if (this.state === 'failed') await this.#write(this.#begin('writing').signal);
  }

  #begin(state: 'asking' | 'writing'): AbortController {
    this.#work = new AbortController();
    this.state = state;
    return this.#work;
  }

  #record(stream: MediaStream, signal: AbortSignal): void {
    const recorder = this.#deps.recorder(stream);
    this.#recorder = recorder;
    this.#pieces = [];
    this.bytes = 0;
    recorder.addEventListener('dataavailable', ({ data }) => {
      if (signal.aborted) return;
      this.#pieces.push(data);
      this.bytes += data.size;
      if (this.bytes > MAX_RECORDING_BYTES - RESERVE && recorder.state === 'recording') {
        this.#deps.full();
        recorder.stop();
      }
    });
    recorder.addEventListener('stop', () => {
      end(stream);
      if (signal.aborted) return;
      this.state = 'writing';
      inBackground(this.#write(signal));
    });
    // In chunks, so that the size is known.
    recorder.start(1000);
    this.began = Date.now();
    this.state = 'recording';
  }

  async #write(signal: AbortSignal): Promise<void> {
    const mime = this.#pieces[0]?.type || 'audio/webm';
    try {
      const bytes = new Uint8Array(await new Blob(this.#pieces).arrayBuffer());
      const text = await this.#deps.transcribe({ name: 'recording', mime, bytes }, signal);
      if (signal.aborted) return;
      this.#pieces = [];
      this.state = 'idle';
      this.#deps.written(text);
    } catch (error) {
      if (signal.aborted) return;
      this.state = 'failed';
      if (!isAbort(error)) this.#deps.failed(error);
    }
  }
}

/** Releases the microphone, so that its indicator goes out. */
function end(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
