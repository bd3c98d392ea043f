import { inBackground } from '../../tools/util/notify.ts';
import { Turns } from '../../tools/util/turns.ts';
import type { TreeModel } from '../session/tree-model.ts';
import type { SavedVariable } from '../session/types.ts';
import type { TurnLogHead } from '../store/turn-log.ts';
import type { TurnLogSink, TurnLogWriter } from '../store/turn-log-files.ts';
import type { AnswerSegment } from '../view/view.ts';
import type { TurnStep } from './turn.ts';

/** Milliseconds between two writes; half of that at the end of a sentence. */
const GAP = 1_000;
/** If many answers are written at once, the gap of each is this long times their number: the kernel gets at most ten writes a second. */
const GAP_OF_EACH = 100;
/** The maximum number of concurrent writes: each holds the whole answer several times until the kernel has received it. */
const AT_ONCE = 4;
const SENTENCE_END = /[.!?。！？…\n]["'”’)\]」』»*_]*\s*$/u;
const TAIL = 24;

const running = new Set<StreamThrottle>();

const writes = new Turns(AT_ONCE);

const gap = (): number => Math.max(GAP, running.size * GAP_OF_EACH);

/** Writes streamed text rarely, as every write is synced; who kills the page loses one sentence. A slow write delays the next. */
export class StreamThrottle {
  private readonly write: () => Promise<void>;
  private readonly now: () => number;
  private last: number;
  private timer: { readonly handle: ReturnType<typeof setTimeout>; readonly due: number } | null = null;
  private writing = false;
  private again = false;
  private stopped = false;

  /** `write` writes the current text, and never rejects. */
  constructor(write: () => Promise<void>, now: () => number) {
    this.write = write;
    this.now = now;
    this.last = now();
    running.add(this);
  }

  /** More text was streamed: `piece` is the delta, never the whole text, which grows with each. */
  grown(piece: string): void {
    if (this.stopped) return;
    if (this.writing) {
      this.again = true;
      return;
    }
    const due = this.last + (SENTENCE_END.test(piece.slice(-TAIL)) ? gap() / 2 : gap());
    if (this.timer && this.timer.due <= due) return;
    this.clear();
    this.timer = { due, handle: setTimeout(() => inBackground(this.flush()), Math.max(0, due - this.now())) };
  }

  /** The streamed text was saved elsewhere (a round, the saved chat): nothing is written until more comes. */
  reset(): void {
    this.clear();
    this.again = false;
  }

  stop(): void {
    this.stopped = true;
    running.delete(this);
    this.reset();
  }

  private async flush(): Promise<void> {
    this.timer = null;
    this.last = this.now();
    this.writing = true;
    await writes.take(async () => {
      // Text that came while it waited is included.
      this.again = false;
      if (!this.stopped) await this.write();
    });
    this.writing = false;
    if (!this.again) return;
    this.again = false;
    this.grown('.');
  }

  private clear(): void {
    if (this.timer) clearTimeout(this.timer.handle);
    this.timer = null;
  }
}

export interface TurnRecorderOptions {
  readonly writer: TurnLogWriter;
  readonly tree: TreeModel;
  readonly variables: () => readonly SavedVariable[];
  readonly head: () => TurnLogHead;
  readonly now: () => number;
}

interface Running {
  readonly nodeId: string;
  readonly throttle: StreamThrottle;
  segments: readonly AnswerSegment[];
  /** How many of the segments are in a finished round. */
  recorded: number;
}

const joinSegments = (segments: readonly AnswerSegment[], kind: 'text' | 'reasoning'): string =>
  segments.flatMap((segment) => (segment.kind === kind ? [segment.text] : [])).join('\n\n');

export class TurnRecorder {
  private readonly options: TurnRecorderOptions;
  private known: ReadonlySet<string> = new Set();
  private running: Running | null = null;
  private round: TurnLogSink | null = null;

  constructor(options: TurnRecorderOptions) {
    this.options = options;
  }

  begin(nodeId: string): void {
    const { writer, tree, variables, head, now } = this.options;
    const answer = tree.node(nodeId);
    const question = answer.parent === null ? [] : [tree.node(answer.parent)];
    this.known = new Set(variables().map((variable) => variable.name));
    this.round = null;
    this.running = { nodeId, segments: [], recorded: 0, throttle: new StreamThrottle(() => this.writeStream(), now) };
    inBackground(writer.add({ type: 'turn', head: head(), nodes: [...question, answer], leafId: tree.leaf ?? nodeId }));
  }

  /** The answer as it is streamed; called for every event, with the delta. */
  grown(segments: readonly AnswerSegment[], piece: string): void {
    const { running } = this;
    if (!running || segments === running.segments) return;
    running.segments = segments;
    // A call being written may follow the text that grows.
    const last = segments.findLast((segment) => segment.kind !== 'call' || segment.call.status !== 'writing');
    if (segments.length > running.recorded && last && last.kind !== 'call') running.throttle.grown(piece);
  }

  /** The tree contains what was done so far. A round is one file, which is replaced until its calls are done. */
  step(nodeId: string, step: TurnStep): void {
    const { writer, tree, variables, head } = this.options;
    const fresh = variables().filter((variable) => !this.known.has(variable.name));
    if (this.running) {
      this.running.recorded = this.running.segments.length;
      this.running.throttle.reset();
    }
    this.round ??= writer.place();
    inBackground(this.round({ type: 'round', head: head(), answer: tree.node(nodeId), variables: fresh }));
    if (step === 'call') return;
    this.known = new Set([...this.known, ...fresh.map((variable) => variable.name)]);
    this.round = null;
  }

  end(): void {
    this.running?.throttle.stop();
    this.running = null;
  }

  private async writeStream(): Promise<void> {
    const { running } = this;
    if (!running) return;
    const { writer, tree } = this.options;
    const { nodeId, segments, recorded } = running;
    const fresh = segments.slice(recorded);
    const after = tree.node(nodeId).changed.time;
    await writer.stream({ type: 'stream', nodeId, after, text: joinSegments(fresh, 'text'), reasoning: joinSegments(fresh, 'reasoning') });
  }
}
