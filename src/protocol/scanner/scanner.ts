import type { ParsedToolRequest, RequestStream, StreamPart } from '../contract.ts';
import { markerAt, UNDECIDED } from './marker.ts';
import { Prose } from './prose.ts';
import type { BlockListener, BlockReader, BlockSyntax, OtherForms, RequestDraft } from './syntax.ts';

const IN_DOUBT =
  'a value before this request was never closed, so this may be a part of that value; send it again if it was meant as a request';

interface OpenBlock {
  readonly reader: BlockReader;
  readonly index: number;
  readonly start: number;
  /** Its text in pieces, joined when it ends; the next one begins at `from` in the current text. */
  readonly raw: string[];
  from: number;
}

/** Scans an answer once, from left to right, in linear time however it is split, both for the stream and the finished text. */
export class RequestScanner implements RequestStream {
  private readonly syntax: BlockSyntax;
  private readonly prose: Prose;
  /** Ids given by the model, each with the number of its last copy. */
  private readonly ids = new Map<string, number>();
  private parts: StreamPart[] = [];
  private held = '';
  private offset = 0;
  private nextIndex = 0;
  private block: OpenBlock | undefined;
  private doubt = false;

  /** Of a finished text only the requests are needed. */
  private readonly requestsOnly: boolean;
  private readonly others: OtherForms | undefined;
  /** From the beginning of another family's call on, in pieces: parsed when the answer is over. */
  private other: string[] | undefined;

  constructor(syntax: BlockSyntax, { requestsOnly = false, others }: { requestsOnly?: boolean; others?: OtherForms | undefined } = {}) {
    this.syntax = syntax;
    this.requestsOnly = requestsOnly;
    this.others = others;
    this.prose = new Prose(syntax, others);
  }

  take(piece: string): readonly StreamPart[] {
    if (this.other === undefined) this.read(this.held + piece, false);
    else this.other.push(piece);
    return this.takeParts();
  }

  end(stopped = false): readonly StreamPart[] {
    if (stopped && this.block !== undefined) this.read(this.held + this.block.reader.closer, false);
    if (this.endsInMarker()) this.offset += this.held.length;
    else this.read(this.held, true);
    while (this.other !== undefined) this.readOther(this.other.join(''), stopped);
    if (this.block !== undefined) this.closeBlock(this.block, this.block.raw.join(''), this.offset, true);
    return this.takeParts();
  }

  /** `stopped` at the protocol's own end marker, which another family may use as well. */
  private readOther(written: string, stopped: boolean): void {
    this.other = undefined;
    const raw = stopped && written.startsWith(this.syntax.opener) ? written + this.syntax.strays.join('') : written;
    const found = this.others?.read(raw);
    if (found === undefined) {
      this.prose.withoutOthers();
      this.read(written, true);
      return;
    }
    for (const draft of found.drafts) this.addOther(draft, raw);
    this.prose.resume();
    this.read(found.rest, true);
  }

  private addOther(draft: RequestDraft, rawBlock: string): void {
    const { offset: start } = this;
    this.addRequest(this.nextIndex++, draft, { rawBlock, span: { start, end: start + rawBlock.length } });
    this.doubt ||= draft.invalid !== undefined;
  }

  private takeParts(): readonly StreamPart[] {
    const { parts } = this;
    this.parts = [];
    return parts;
  }

  /** The answer broke off in a marker: a request is reported to the model, a stray marker is not shown. */
  private endsInMarker(): boolean {
    const { held, syntax } = this;
    if (this.block !== undefined || this.other !== undefined) return false;
    if (this.others?.isCutOpening(held)) {
      this.other = [held];
      return true;
    }
    if (held.length < syntax.pieceFrom) return false;
    const fence = syntax.fenceAt?.(held, 0);
    if (markerAt(held, 0, syntax.opener) === UNDECIDED || fence === UNDECIDED) {
      this.openBlock(held, 0, held.length).raw.push(held);
      return true;
    }
    return syntax.strays.some((stray) => markerAt(held, 0, stray) === UNDECIDED);
  }

  private read(text: string, final: boolean): void {
    this.prose.begin();
    let at = 0;
    let decided = true;
    while (decided && at < text.length) {
      const next = this.block === undefined ? this.readProse(text, at, final) : this.readBlock(this.block, text, at, final);
      at = next.at;
      decided = next.decided;
    }
    if (this.block !== undefined) {
      this.block.raw.push(text.slice(this.block.from, at));
      this.block.from = 0;
    }
    this.offset += at;
    if (this.other === undefined) this.held = text.slice(at);
    else {
      this.other.push(text.slice(at));
      this.held = '';
    }
  }

  private readProse(text: string, from: number, final: boolean): { readonly at: number; readonly decided: boolean } {
    const stop = this.prose.read(text, from, final);
    if (stop.at > from) this.emit({ type: 'text', text: text.slice(from, stop.at) });
    if (stop.kind === 'open') this.openBlock(text, stop.at, stop.length);
    if (stop.kind === 'other') this.other = [];
    const length = stop.kind === 'open' || stop.kind === 'stray' ? stop.length : 0;
    if (length > 0) this.prose.resume();
    return { at: stop.at + length, decided: stop.kind !== 'undecided' && stop.kind !== 'other' };
  }

  private openBlock(text: string, at: number, length: number): OpenBlock {
    const index = this.nextIndex++;
    const opener = text.slice(at, at + length);
    const reader = this.syntax.open(opener, this.requestsOnly ? undefined : this.listenerOf(index));
    const block: OpenBlock = { reader, index, start: this.offset + at, raw: [], from: at };
    this.block = block;
    this.emit({ type: 'start', index });
    return block;
  }

  private listenerOf(index: number): BlockListener {
    return {
      name: (toolName) => this.emit({ type: 'name', index, toolName }),
      argument: (key, piece) => this.emit({ type: 'argument', index, key, text: piece }),
    };
  }

  private readBlock(block: OpenBlock, text: string, from: number, final: boolean): { readonly at: number; readonly decided: boolean } {
    const at = block.reader.read(text, from, this.offset, final);
    if (block.reader.closed) {
      const last = text.slice(block.from, at);
      this.closeBlock(block, block.raw.length === 0 ? last : block.raw.join('') + last, this.offset + at, false);
    }
    return { at, decided: block.reader.closed };
  }

  private closeBlock({ reader, index, start }: OpenBlock, rawBlock: string, end: number, interrupted: boolean): void {
    for (const [number, draft] of reader.finish(interrupted).entries()) {
      const own = number === 0 ? index : this.nextIndex++;
      if (number > 0) this.announce(own, draft);
      this.addRequest(own, draft, { rawBlock, span: { start, end } });
    }
    this.doubt ||= reader.leavesDoubt;
    this.block = undefined;
  }

  private addRequest(index: number, draft: RequestDraft, where: Pick<ParsedToolRequest, 'rawBlock' | 'span'>): void {
    const { toolName, args, warnings, argumentSpans, invalid = this.doubt ? IN_DOUBT : undefined } = draft;
    const requestId = this.uniqueId(draft.requestId, index);
    const isText = draft.isText ?? this.syntax.isText;
    const form = isText === undefined ? {} : { isText };
    const request = { requestId, toolName, args, warnings, argumentSpans, ...form, ...where };
    this.parts.push({ type: 'request', index, request: invalid === undefined ? request : { ...request, invalid } });
  }

  /** A second request of one block has no stream of its own. */
  private announce(index: number, { toolName }: RequestDraft): void {
    this.emit({ type: 'start', index });
    this.emit({ type: 'name', index, toolName });
  }

  private emit(part: StreamPart): void {
    if (!this.requestsOnly) this.parts.push(part);
  }

  /** Makes an id given by the model unique, also among the ids that requests without one have or will have. */
  private uniqueId(given: string | undefined, index: number): string {
    const { idPrefix } = this.syntax;
    if (given === undefined) {
      const id = `${idPrefix}-${index + 1}`;
      return this.ids.size > 0 && this.ids.has(id) ? this.copyOf(id) : id;
    }
    const isOurs = given.startsWith(`${idPrefix}-`) && Number(given.slice(idPrefix.length + 1)) <= index;
    if (isOurs || this.ids.has(given)) return this.copyOf(given);
    this.ids.set(given, 1);
    return given;
  }

  private copyOf(wanted: string): string {
    let copy = this.ids.get(wanted) ?? 1;
    let id = wanted;
    do id = `${wanted}-${++copy}`;
    while (this.ids.has(id));
    this.ids.set(wanted, copy).set(id, 1);
    return id;
  }
}

export function requestsIn(syntax: BlockSyntax, text: string): readonly ParsedToolRequest[] {
  const scanner = new RequestScanner(syntax, { requestsOnly: true });
  const requests: ParsedToolRequest[] = [];
  for (const parts of [scanner.take(text), scanner.end()]) {
    for (const part of parts) if (part.type === 'request') requests.push(part.request);
  }
  return requests;
}
