import type { MarkdownBlock } from '../blocks.ts';
import { MarkdownStream, SLICE } from '../markdown-stream.ts';
import type { RenderOptions } from '../render.ts';
import { FRAME_MS, renderPause } from '../render-pause.ts';
import { createSanitize, type Sanitize } from '../sanitize.ts';

export interface MarkdownInput {
  readonly text: string;
  readonly streaming: boolean;
  readonly options: RenderOptions;
}

let sanitize: Sanitize | undefined;

/** Rendering may take a quarter of the time: after n ms of work the next render waits 3n, and at least a frame. */
const REST = 3;
/** Calls back once the next frame is painted, with the milliseconds that this took. */
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

/** Milliseconds of work after which a long answer that is rendered in slices yields to the page. */
const WORK_MS = 12;

/**
 * Blocks of one answer. While it streams, at most one render per frame, fewer when renders are slow (a giant table); each processes at
 * most a slice of the new text. A long complete answer is rendered between frames, from its beginning.
 */
export class MarkdownState {
  blocks: readonly MarkdownBlock[];
  readonly #stream: MarkdownStream;
  #waiting: MarkdownInput | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #free = 0;
  /** Length of the text that was given to the stream while it arrives. */
  #taken = 0;
  /** The rest of a whole answer. */
  #rest: Generator<readonly MarkdownBlock[], void> | undefined;

  constructor(input: MarkdownInput) {
    sanitize ??= createSanitize(window);
    this.#stream = new MarkdownStream(input.options, sanitize);
    this.blocks = $state.raw([]);
    if (!input.streaming) this.#finish(input);
    else if (this.#take(input)) this.set(input);
  }

  set(input: MarkdownInput): void {
    if (!input.streaming) {
      this.destroy();
      this.#finish(input);
      return;
    }
    this.#rest = undefined;
    this.#waiting = input;
    this.#timer ??= setTimeout(() => this.#render(), Math.max(FRAME_MS, this.#free - performance.now()));
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = undefined;
    this.#rest = undefined;
  }

  #finish({ text, options }: MarkdownInput): void {
    this.#taken = 0;
    this.#rest = this.#stream.finishing(text, options);
    this.#goOn(this.#rest);
  }

  #goOn(rest: Generator<readonly MarkdownBlock[], void>): void {
    const started = performance.now();
    let step = rest.next();
    let { blocks } = this;
    for (; !step.done; step = rest.next()) {
      blocks = step.value;
      if (performance.now() - started > WORK_MS) break;
    }
    this.blocks = blocks;
    if (step.done) this.#rest = undefined;
    // A background page paints no frames, and needs none.
    else this.#timer = setTimeout(() => this.#rest && this.#goOn(this.#rest), FRAME_MS);
  }

  /** The next slice of what arrived. @returns whether more is there already */
  #take({ text }: MarkdownInput): boolean {
    if (text.length < this.#taken) this.#taken = 0;
    this.#taken = Math.min(text.length, this.#taken + SLICE);
    this.blocks = this.#stream.update(text.slice(0, this.#taken));
    return this.#taken < text.length;
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
    const more = this.#take(input);
    const ended = performance.now();
    this.#free = ended + Math.max(renderPause(this.blocks), REST * (ended - started));
    if (more) this.set(input);
    // The browser's own work counts too: a long table is laid out as a whole for every new row.
    afterFrame((took) => {
      this.#free = Math.max(this.#free, ended + REST * (ended - started + took));
    });
  }
}
