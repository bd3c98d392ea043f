import type { MarkdownBlock } from '../blocks.ts';
import { MarkdownStream } from '../markdown-stream.ts';
import type { RenderOptions } from '../render.ts';
import { FRAME_MS, renderPause } from '../render-pause.ts';
import { createSanitize, type Sanitize } from '../sanitize.ts';

export interface MarkdownInput {
  readonly text: string;
  readonly streaming: boolean;
  readonly options: RenderOptions;
}

let sanitize: Sanitize | undefined;

/** Rendering may take a quarter of the time: after n ms of work the next one waits 3n, and at least a frame. */
const REST = 3;
/** Calls back once the next frame is drawn, with the milliseconds that drawing it took. */
function afterFrame(then: (took: number) => void): void {
  requestAnimationFrame((started) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      then(performance.now() - started);
    };
    port2.postMessage(null);
  });
}

/** Blocks of one answer. While it streams, at most one render a frame, rarer when renders are slow (a giant table). */
export class MarkdownState {
  blocks: readonly MarkdownBlock[];
  readonly #stream: MarkdownStream;
  #waiting: MarkdownInput | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #free = 0;

  constructor(input: MarkdownInput) {
    sanitize ??= createSanitize(window);
    this.#stream = new MarkdownStream(input.options, sanitize);
    this.blocks = $state.raw(input.streaming ? this.#stream.update(input.text) : this.#stream.finish(input.text, input.options));
  }

  set(input: MarkdownInput): void {
    if (!input.streaming) {
      this.destroy();
      this.blocks = this.#stream.finish(input.text, input.options);
      return;
    }
    this.#waiting = input;
    this.#timer ??= setTimeout(() => this.#render(), Math.max(FRAME_MS, this.#free - performance.now()));
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = undefined;
  }

  #render(): void {
    this.#timer = undefined;
    const input = this.#waiting;
    if (!input) return;
    const started = performance.now();
    if (started < this.#free) {
      this.set(input);
      return;
    }
    this.blocks = this.#stream.update(input.text);
    const ended = performance.now();
    this.#free = ended + Math.max(renderPause(this.blocks), REST * (ended - started));
    // The browser's own work counts too: a long table is laid out as a whole whenever it gets a row.
    afterFrame((took) => {
      this.#free = Math.max(this.#free, ended + REST * (ended - started + took));
    });
  }
}
