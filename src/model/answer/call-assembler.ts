import type { ExtraFields, ModelDelta, ToolCall } from '../../tools/contract/messages.ts';
import { bareToolName } from '../../tools/util/near-names.ts';
import { canonicalJson, isRecord, parsedJson, textOrEmpty } from '../../tools/util/plain-value.ts';

interface OpenCall {
  readonly id: string;
  /** The server's id, which distinguishes two calls that share an index. */
  readonly serverId: string | undefined;
  readonly index: number | undefined;
  name: string;
  arguments: string;
  end: ObjectEnd;
  again: string;
  extra: unknown;
  fields: Readonly<Record<string, unknown>> | undefined;
}

export interface CallAssemblerOptions {
  readonly onDelta: (delta: ModelDelta) => void;
  readonly newCallId: () => string;
  readonly usedCallIds: ReadonlySet<string>;
}

type Fields = Readonly<Record<string, unknown>>;

interface Piece {
  readonly id: string | undefined;
  readonly index: number | undefined;
  readonly name: string;
  readonly fragment: string;
  readonly fields: Fields;
}

/** Fields that servers put next to a call and expect back with it, besides `extra_content`. */
const CALL_FIELDS = ['provider_specific_fields', 'thought_signature', 'signature'] as const;

function pieceOf(value: unknown): Piece {
  const fields = isRecord(value) ? value : {};
  const body = isRecord(fields.function) ? fields.function : fields;
  const sent = body.arguments;
  const index = typeof fields.index === 'string' && fields.index !== '' ? Number(fields.index) : fields.index;
  const whole = isRecord(sent) ? JSON.stringify(sent) : '';
  return {
    id: textOrEmpty(fields.id) || undefined,
    index: typeof index === 'number' && Number.isInteger(index) ? index : undefined,
    name: textOrEmpty(body.name),
    fragment: typeof sent === 'string' ? sent : whole,
    fields,
  };
}

class ObjectEnd {
  reached = false;
  private depth = 0;
  private inText = false;
  private escaped = false;

  take(piece: string): void {
    for (let at = 0; at < piece.length && !this.reached; at += 1) this.takeSign(piece.charCodeAt(at));
  }

  private takeSign(code: number): void {
    if (this.escaped) this.escaped = false;
    else if (this.inText && code === BACKSLASH) this.escaped = true;
    else if (code === QUOTE) this.inText = !this.inText;
    else if (!this.inText && code === OPEN) this.depth += 1;
    else if (!this.inText && code === CLOSE) this.reached = --this.depth === 0;
  }
}

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [34, 92, 123, 125];

const isEmptyObject = (json: string): boolean => /^\s*\{\s*\}\s*$/u.test(json);

function objectIn(json: string): Fields | undefined {
  if (!json.trimEnd().endsWith('}')) return undefined;
  const value = parsedJson(json);
  return isRecord(value) ? value : undefined;
}

const extendsObject = (later: Fields, earlier: Fields): boolean =>
  Object.entries(earlier).every(([key, value]) => Object.hasOwn(later, key) && canonicalJson(later[key]) === canonicalJson(value));

const mayBegin = (fragment: string): boolean => /^\s*(?:$|[{"])/u.test(fragment);

function beginsAnother(complete: Fields, fragment: string): boolean {
  if (fragment === '') return false;
  const later = objectIn(fragment);
  return later === undefined ? Object.keys(complete).length > 0 : !extendsObject(later, complete);
}

/** Only for text that cannot continue any arguments: inside an object nothing begins like the whole. */
const repeats = (fragment: string, before: string): boolean => /^\s*(?:\{|".)/su.test(before) && fragment.startsWith(before);

/** Assembles the calls of an answer, each once, from pieces by index, id or order, repetitions included; truncated calls stay truncated. */
export class CallAssembler {
  private readonly options: CallAssemblerOptions;
  private readonly calls: OpenCall[] = [];
  private readonly byIndex = new Map<number, number>();
  private places: readonly number[] = [];

  constructor(options: CallAssemblerOptions) {
    this.options = options;
  }

  get empty(): boolean {
    return this.calls.length === 0;
  }

  /** The calls of a chunk. Those of a whole answer are complete and separate, whatever their ids and indexes are. */
  take(values: readonly unknown[], isWhole: boolean): void {
    const isClosing = isWhole && this.calls.length > 0;
    const taken = new Set<number>();
    const places: number[] = [];
    for (const [place, value] of values.entries()) {
      const piece = pieceOf(value);
      const fresh = isWhole || (values.length > 1 && piece.name !== '' && piece.index === undefined);
      const before = isClosing ? this.closes(piece, place, taken) : undefined;
      const known = before ?? (fresh ? undefined : this.positionOf(piece, values.length > 1 ? this.places[place] : undefined));
      const position = known ?? this.open(piece);
      if (before !== undefined) this.replace(position, piece.fragment);
      else this.grow(position, piece);
      taken.add(position);
      places.push(position);
    }
    this.places = places;
  }

  /** `isCut`: the answer was truncated. `answer`: what is sent back with the calls. Never returns the same call twice. */
  toolCalls(isCut: boolean, answer: ExtraFields['answer']): readonly ToolCall[] {
    const seen = new Set<string>();
    const whole = this.calls.map((call) => ({ ...call, name: bareToolName(call.name), arguments: latest(call).trim() }));
    const isNamed = whole.some(({ name }) => name !== '');
    const different = whole.filter(({ name, arguments: args }) => {
      if (name === '' && isNamed && (args === '' || isEmptyObject(args))) return false;
      const object = objectIn(args || '{}');
      const key = `${name}\n${object === undefined ? args : canonicalJson(object)}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
    return different.map((call, at) => toToolCall(call, isCut && at === different.length - 1, at === 0 ? answer : undefined));
  }

  /** The call that one in a closing message repeats: with its id, else at its position. */
  private closes({ id, name }: Piece, place: number, taken: ReadonlySet<number>): number | undefined {
    const byId = id === undefined ? -1 : this.calls.findIndex((call, at) => call.serverId === id && !taken.has(at));
    if (byId >= 0) return byId;
    const call = this.calls[place];
    return call !== undefined && !taken.has(place) && bareToolName(call.name) === bareToolName(name) ? place : undefined;
  }

  private replace(position: number, whole: string): void {
    const call = this.calls[position];
    if (call === undefined || whole === '') return;
    call.arguments = whole;
    call.again = '';
  }

  private grow(position: number, { name, fragment, fields }: Piece): void {
    const call = this.calls[position];
    if (!call) return;
    if (fields.extra_content !== undefined) call.extra = fields.extra_content;
    const signed = CALL_FIELDS.filter((key) => fields[key] !== undefined && fields[key] !== null);
    if (signed.length > 0) call.fields = { ...call.fields, ...Object.fromEntries(signed.map((key) => [key, fields[key]])) };
    this.growName(call, name);
    if (fragment !== '') this.growArguments(call, position, fragment);
  }

  /** Some servers repeat the whole name with every fragment, others send it in pieces, or as far as it is known. */
  private growName(call: OpenCall, name: string): void {
    if (name === '' || name === call.name || call.arguments !== '') return;
    call.name = call.name !== '' && name.startsWith(call.name) ? name : call.name + name;
  }

  private growArguments(call: OpenCall, position: number, fragment: string): void {
    if (call.end.reached) {
      this.growAgain(call, position, fragment);
      return;
    }
    const before = call.arguments;
    const isAll = repeats(fragment, before);
    call.arguments = isAll ? fragment : before + fragment;
    if (isAll) call.end = new ObjectEnd();
    call.end.take(fragment);
    const isPlaceholder = before === '' && isEmptyObject(fragment);
    if (!isPlaceholder) this.emit(position, call.arguments.slice(before.length));
  }

  /** After complete arguments: the same again, or their next state; after an empty object, its replacement. */
  private growAgain(call: OpenCall, position: number, fragment: string): void {
    if (objectIn(call.again) !== undefined) {
      call.arguments = call.again;
      call.again = '';
    }
    call.again = repeats(fragment, call.again) ? fragment : call.again + fragment;
    if (!isEmptyObject(call.arguments) || !/^\s*\{/u.test(call.again)) return;
    const { again } = call;
    Object.assign(call, { arguments: '', again: '', end: new ObjectEnd() });
    this.growArguments(call, position, again);
  }

  private emit(index: number, argumentsDelta: string): void {
    if (argumentsDelta !== '') this.options.onDelta({ type: 'toolCallArgs', index, argumentsDelta });
  }

  /** The call of a piece, by index or id, else its position in the chunk, else the last; undefined for a new one. */
  private positionOf(piece: Piece, place: number | undefined): number | undefined {
    const known = this.knownPosition(piece, place);
    const call = known === undefined ? undefined : this.calls[known];
    if (call === undefined || piece.name === '') return known;
    return this.goesOn(call, piece) ? known : undefined;
  }

  private knownPosition({ id, index, name, fragment }: Piece, place: number | undefined): number | undefined {
    const last = this.calls.length - 1;
    const byIndex = index === undefined ? undefined : this.byIndex.get(index);
    if (byIndex !== undefined && (id === undefined || this.calls[byIndex]?.serverId === id)) return byIndex;
    const byId = id === undefined ? -1 : this.calls.findLastIndex((call) => call.serverId === id);
    if (byId >= 0) return byId;
    if (byIndex !== undefined) return byIndex;
    if (index === undefined && (id === undefined || name === '')) return place ?? (last < 0 ? undefined : last);
    // Neither known nor named, or all under new numbers: the open call continues.
    const isRest = name === '' ? id === undefined || fragment !== '' : this.isOpen(last) && !mayBegin(fragment);
    return isRest && last >= 0 ? last : undefined;
  }

  private isOpen(position: number): boolean {
    const call = this.calls[position];
    return call !== undefined && call.arguments !== '' && !call.end.reached;
  }

  private goesOn(call: OpenCall, { id, index, name, fragment }: Piece): boolean {
    const isSameId = id !== undefined && id === call.serverId;
    const isOtherId = id !== undefined && call.serverId !== undefined && !isSameId;
    // Only a name that arrives in pieces is different each time.
    if (bareToolName(name) !== bareToolName(call.name)) return call.arguments === '' && !isOtherId && (isSameId || index !== undefined);
    const complete = call.end.reached ? objectIn(call.arguments) : undefined;
    if (complete === undefined)
      return !isOtherId || (call.arguments === '' ? index !== undefined : repeats(fragment, call.arguments) || !mayBegin(fragment));
    if (isSameId && index !== undefined && index === call.index) return true;
    if (isOtherId && (fragment === '' || Object.keys(complete).length === 0)) return false;
    return !beginsAnother(complete, fragment);
  }

  private open({ id: serverId, index, name }: Piece): number {
    const id = this.callId(serverId);
    const position = this.calls.length;
    this.calls.push({ id, serverId, index, name, arguments: '', end: new ObjectEnd(), again: '', extra: undefined, fields: undefined });
    if (index !== undefined) this.byIndex.set(index, position);
    this.options.onDelta({ type: 'toolCallStart', index: position, id, name: name === '' ? '' : bareToolName(name) });
    return position;
  }

  /** A unique id: some servers count from `call_0` in each answer or send none; nine letters and digits are accepted by all. */
  private callId(serverId: string | undefined): string {
    const taken = (id: string): boolean => this.options.usedCallIds.has(id) || this.calls.some((call) => call.id === id);
    if (serverId && serverId.length >= 9 && !taken(serverId)) return serverId;
    let id = this.options.newCallId();
    while (taken(id)) id = this.options.newCallId();
    return id;
  }
}

/** The arguments as they were last sent completely. */
const latest = ({ arguments: args, again }: OpenCall): string => (objectIn(again) === undefined ? args : again);

function toToolCall(call: OpenCall, isCut: boolean, answer: ExtraFields['answer']): ToolCall {
  const extra: ExtraFields = { ...(call.fields ? { call: call.fields } : {}), ...(answer ? { answer } : {}) };
  const made: ToolCall = {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments || '{}' },
    extra_content: call.extra,
    ...(Object.keys(extra).length === 0 ? {} : { extra_fields: extra }),
  };
  if (call.name === '') return { ...made, invalid: 'the call has no tool name' };
  return isCut && (call.arguments === '' || isEmptyObject(call.arguments))
    ? { ...made, invalid: 'the answer broke off before the arguments of the call' }
    : made;
}
