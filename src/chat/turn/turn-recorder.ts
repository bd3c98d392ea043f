import { inBackground } from '../../tools/util/notify.ts';
import type { TreeModel } from '../session/tree-model.ts';
import type { SavedVariable } from '../session/types.ts';
import type { TurnLogHead } from '../store/turn-log.ts';
import type { TurnLogSink, TurnLogWriter } from '../store/turn-log-files.ts';
import type { AnswerSegment } from '../view/view.ts';
import { StreamThrottle } from './stream-throttle.ts';
import type { TurnStep } from './turn.ts';

export interface TurnRecorderOptions {
  readonly writer: TurnLogWriter;
  readonly tree: TreeModel;
  readonly variables: () => readonly SavedVariable[];
  readonly head: () => TurnLogHead;
  /** Milliseconds since the epoch. */
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

/** Saves a running turn in the turn log: the question, each round with its calls, and the streamed text. */
export class TurnRecorder {
  private readonly options: TurnRecorderOptions;
  private known: ReadonlySet<string> = new Set();
  private running: Running | null = null;
  /** The sink of the running round; null between two rounds. */
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
