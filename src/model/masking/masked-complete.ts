import { ToolError } from '../../tools/contract/errors.ts';
import type { Complete, CompletionRequest, CompletionResult, ModelDelta } from '../../tools/contract/messages.ts';
import { InterruptedAnswer } from '../language-model.ts';
import { BusyModel, isBusyCode } from '../retrying.ts';
import { type FindPrivate, findPrivate } from './find-private.ts';
import { insideJson, maskRequest, restoreResult } from './mask-request.ts';
import { MaskTable } from './mask-table.ts';
import { PlaceholderStream } from './placeholders.ts';
import type { PrivacySettings } from './privacy-fields.ts';

/** The deltas of an answer with placeholders replaced by their values. Text, reasoning and each call's arguments are separate streams. */
class RestoredDeltas {
  private readonly table: MaskTable;
  private readonly onDelta: (delta: ModelDelta) => void;
  private readonly streams = new Map<string, { readonly stream: PlaceholderStream; readonly delta: (text: string) => ModelDelta }>();

  constructor(table: MaskTable, onDelta: (delta: ModelDelta) => void) {
    this.table = table;
    this.onDelta = onDelta;
  }

  readonly take = (delta: ModelDelta): void => {
    if (delta.type === 'text' || delta.type === 'reasoning') {
      const { type } = delta;
      this.push(type, delta.text, (text) => ({ type, text }));
    } else if (delta.type === 'toolCallArgs') {
      const { index } = delta;
      this.push(`arguments ${index}`, delta.argumentsDelta, (argumentsDelta) => ({ type: 'toolCallArgs', index, argumentsDelta }));
    } else {
      if (delta.type === 'text-was-reasoning') this.endText();
      this.onDelta(delta);
    }
  };

  private endText(): void {
    const text = this.streams.get('text');
    this.streams.delete('text');
    if (text) this.send(text.stream.end(), text.delta);
  }

  /** The end: what was held back as the start of a placeholder was not one. */
  readonly end = (): void => {
    for (const { stream, delta } of this.streams.values()) this.send(stream.end(), delta);
  };

  private push(name: string, piece: string, delta: (text: string) => ModelDelta): void {
    const isText = name === 'text' || name === 'reasoning';
    const made = this.streams.get(name) ?? {
      stream: new PlaceholderStream((text) => (isText ? this.table.restore(text) : this.table.restore(text, insideJson))),
      delta,
    };
    this.streams.set(name, made);
    this.send(made.stream.push(piece), delta);
  }

  private send(text: string, delta: (text: string) => ModelDelta): void {
    if (text !== '') this.onDelta(delta(text));
  }
}

/** A provider may repeat in its error message what it was sent. */
export function restoredError(error: unknown, table: MaskTable): unknown {
  if (!(error instanceof ToolError)) return error;
  const { code, message, next, detail, quoted } = error;
  const restore = (text: string): string => table.restore(text);
  const restored = detail === undefined ? undefined : restore(detail);
  if (error instanceof InterruptedAnswer)
    return new InterruptedAnswer(restore(message), restore(next), restoreResult(error.partial, table), restored);
  // A busy provider is asked again: by its kind of failure, and after its waiting time.
  if (error instanceof BusyModel && isBusyCode(code)) return new BusyModel(code, restore(message), restore(next), error.retryAfter);
  return new ToolError(code, restore(message), restore(next), restored, quoted === undefined ? undefined : restore(quoted));
}

let last: { readonly key: string; readonly find: Promise<FindPrivate> } | undefined;

/** The finder for these settings, cached until they change. Rejects with `privacy_invalid`. */
export function finderOf(privacy: PrivacySettings): Promise<FindPrivate> {
  const key = JSON.stringify([privacy.enabled, privacy.fields]);
  if (last?.key !== key) {
    const find = findPrivate(privacy);
    last = { key, find };
    // A failure (the engine's file could not be loaded) is tried again.
    find.catch(() => {
      if (last?.find === find) last = undefined;
    });
  }
  return last.find;
}

export async function maskedRequest(privacy: PrivacySettings, request: CompletionRequest): Promise<CompletionRequest> {
  return maskRequest(request, new MaskTable(await finderOf(privacy)));
}

/** One request with placeholders for private values; its answer has the values again, in deltas, result and errors. */
export async function completeMasked(
  inner: Complete,
  privacy: PrivacySettings,
  request: CompletionRequest,
  signal: AbortSignal,
  onDelta: (delta: ModelDelta) => void,
): Promise<CompletionResult> {
  const table = new MaskTable(await finderOf(privacy));
  const masked = maskRequest(request, table);
  const deltas = new RestoredDeltas(table, onDelta);
  // Readers of the deltas stop listening once the request has ended: release what is held back at once.
  signal.addEventListener('abort', deltas.end, { once: true });
  try {
    return restoreResult(await inner(masked, signal, deltas.take), table);
  } catch (error) {
    throw restoredError(error, table);
  } finally {
    signal.removeEventListener('abort', deltas.end);
    deltas.end();
  }
}
