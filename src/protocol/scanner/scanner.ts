import type { ParsedToolRequest, RequestStream, StreamPart } from '../contract.ts';
import { markerAt, UNDECIDED } from './marker.ts';
import { Prose } from './prose.ts';
import type { BlockReader, BlockSyntax, RequestDraft } from './syntax.ts';

const IN_DOUBT =
  'a value before this request was never closed, so this may be a part of that value; send it again if it was meant as a request';

interface OpenBlock {
  readonly reader: BlockReader;
  readonly index: number;
  /** In the whole answer. */
  readonly start: number;
  /** The pieces of its text, joined when it ends. */
  readonly raw: string[];
}

/**
 * Reads an answer once, from left to right. Between two pieces only the beginning of a marker is kept, so the work grows with the
 * length of the answer however it is cut, and the same code serves the stream and the finished text.
 */
export class RequestScanner implements RequestStream {
  private readonly syntax: BlockSyntax;
  private readonly prose: Prose;
  private readonly ids = new Set<string>();
  private parts: StreamPart[] = [];
  private held = '';
  /** Where `held` begins in the answer. */
  private offset = 0;
  private nextIndex = 0;
  private block: OpenBlock | undefined;
  private doubt = false;

  constructor(syntax: BlockSyntax) {
    this.syntax = syntax;
    this.prose = new Prose(syntax);
  }

  take(piece: string): readonly StreamPart[] {
    this.read(this.held + piece, false);
    return this.takeParts();
  }

  end(stopped = false): readonly StreamPart[] {
    if (stopped && this.block !== undefined) this.read(this.held + this.block.reader.closer, false);
    if (this.endsInMarker()) {
      this.offset += this.held.length;
      this.held = '';
    }
    this.read(this.held, true);
    if (this.block !== undefined) this.closeBlock(this.block, this.offset, true);
    return this.takeParts();
  }

  private takeParts(): readonly StreamPart[] {
    const { parts } = this;
    this.parts = [];
    return parts;
  }

  /** The answer broke off in a marker: a request is told to the model, of a stray marker nothing is shown. */
  private endsInMarker(): boolean {
    const { held, syntax } = this;
    if (this.block !== undefined || held.length < syntax.pieceFrom) return false;
    if (syntax.openAt(held, 0, true) === UNDECIDED) {
      this.openBlock(held, 0, held.length);
      return true;
    }
    return syntax.strays.some((stray) => markerAt(held, 0, stray) === UNDECIDED);
  }

  private read(text: string, final: boolean): void {
    let at = 0;
    let decided = true;
    while (decided && at < text.length) {
      const next = this.block === undefined ? this.readProse(text, at, final) : this.readBlock(this.block, text, at, final);
      at = next.at;
      decided = next.decided;
    }
    this.held = text.slice(at);
    this.offset += at;
  }

  private readProse(text: string, from: number, final: boolean): { readonly at: number; readonly decided: boolean } {
    const stop = this.prose.read(text, from, final);
    if (stop.at > from) this.parts.push({ type: 'text', text: text.slice(from, stop.at) });
    if (stop.kind === 'open') this.openBlock(text, stop.at, stop.length);
    const length = stop.kind === 'open' || stop.kind === 'stray' ? stop.length : 0;
    if (length > 0) this.prose.resume();
    return { at: stop.at + length, decided: stop.kind !== 'undecided' };
  }

  private openBlock(text: string, at: number, length: number): void {
    const index = this.nextIndex++;
    const opener = text.slice(at, at + length);
    const reader = this.syntax.open(opener, {
      name: (toolName) => this.parts.push({ type: 'name', index, toolName }),
      argument: (key, piece) => this.parts.push({ type: 'argument', index, key, text: piece }),
    });
    this.block = { reader, index, start: this.offset + at, raw: [opener] };
    this.parts.push({ type: 'start', index });
  }

  private readBlock(block: OpenBlock, text: string, from: number, final: boolean): { readonly at: number; readonly decided: boolean } {
    const at = block.reader.read(text, from, this.offset, final);
    if (at > from) block.raw.push(text.slice(from, at));
    if (block.reader.closed) this.closeBlock(block, this.offset + at, false);
    return { at, decided: block.reader.closed };
  }

  private closeBlock({ reader, index, start, raw }: OpenBlock, end: number, interrupted: boolean): void {
    const rawBlock = raw.join('');
    for (const [number, draft] of reader.finish(interrupted).entries()) {
      const own = number === 0 ? index : this.nextIndex++;
      if (number > 0) this.announce(own, draft);
      const { requestId, invalid = this.doubt ? IN_DOUBT : undefined, ...rest } = draft;
      const given = { requestId: this.uniqueId(requestId, own), ...rest, rawBlock, span: { start, end } };
      this.parts.push({ type: 'request', index: own, request: invalid === undefined ? given : { ...given, invalid } });
    }
    this.doubt ||= reader.leavesDoubt;
    this.block = undefined;
  }

  /** A second request of one block has no stream of its own. */
  private announce(index: number, { toolName }: RequestDraft): void {
    this.parts.push({ type: 'start', index }, { type: 'name', index, toolName });
  }

  private uniqueId(given: string | undefined, index: number): string {
    const wanted = given ?? `${this.syntax.idPrefix}-${index + 1}`;
    let id = wanted;
    for (let copy = 2; this.ids.has(id); copy++) id = `${wanted}-${copy}`;
    this.ids.add(id);
    return id;
  }
}

/** The requests in a finished text. */
export function requestsIn(syntax: BlockSyntax, text: string): readonly ParsedToolRequest[] {
  const scanner = new RequestScanner(syntax);
  const parts = [...scanner.take(text), ...scanner.end()];
  return parts.flatMap((part) => (part.type === 'request' ? [part.request] : []));
}
