import type { MediaFile } from '../../model/media/media-model.ts';

export interface ReadAloudDeps {
  readonly speak: (text: string, signal: AbortSignal) => Promise<MediaFile>;
  readonly failed: (error: unknown) => void;
}

/** One answer at a time, spoken: `loading` → `playing` ⇄ `paused` → gone at its end. */
export class ReadAloud {
  /** The answer that is read; '' where none is. */
  nodeId: string = $state('');
  state: 'loading' | 'playing' | 'paused' = $state('loading');
  recording: MediaFile | undefined = $state.raw();
  readonly #deps: ReadAloudDeps;
  #work = new AbortController();
  #audio: HTMLAudioElement | undefined;
  #url = '';

  constructor(deps: ReadAloudDeps) {
    this.#deps = deps;
  }

  async start(nodeId: string, text: string): Promise<void> {
    this.stop();
    const work = new AbortController();
    this.#work = work;
    this.nodeId = nodeId;
    this.state = 'loading';
    try {
      const recording = await this.#deps.speak(text, work.signal);
      if (work.signal.aborted) return;
      this.recording = recording;
      await this.#play(recording);
    } catch (error) {
      if (work.signal.aborted) return;
      this.stop();
      this.#deps.failed(error);
    }
  }

  pause(): void {
    this.#audio?.pause();
  }

  resume(): void {
    this.#audio?.play().catch((error: unknown) => this.#deps.failed(error));
  }

  stop(): void {
    this.#work.abort();
    const audio = this.#audio;
    this.#audio = undefined;
    audio?.pause();
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = '';
    this.nodeId = '';
    this.recording = undefined;
  }

  async #play({ bytes, mime }: MediaFile): Promise<void> {
    this.#url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mime }));
    const audio = new Audio(this.#url);
    this.#audio = audio;
    // Reported by the player, since headphones and the system can pause it, too.
    const follow = (state: 'playing' | 'paused') => () => {
      if (this.#audio === audio) this.state = state;
    };
    audio.addEventListener('play', follow('playing'));
    audio.addEventListener('pause', follow('paused'));
    audio.addEventListener('ended', () => {
      if (this.#audio === audio) this.stop();
    });
    await audio.play();
  }
}
