import { isRecord, textOrEmpty } from '../../tools/util/plain-value.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Lists next to an answer that their servers expect back with its calls: OpenRouter; LiteLLM. */
const LISTS = ['reasoning_details', 'thinking_blocks'] as const;
/** Text fields of a detail. */
const TEXTS = ['reasoning_signature', 'reasoning_encrypted', 'encrypted_content', 'thought_signature'] as const;
/** Fields of a detail that arrive in pieces. */
const GROWING = ['text', 'summary', 'thinking'] as const;

/** Signed reasoning, assembled from its pieces and sent back unchanged. */
export class ReasoningDetails {
  private readonly lists = new Map<string, Fields[]>();
  private readonly texts = new Map<string, string>();

  /** Returns the reasoning text in the part. `isWhole`: the complete value, whatever came before. */
  take(part: Fields, isWhole: boolean): string {
    let reasoning = '';
    for (const name of LISTS) {
      const pieces = Array.isArray(part[name]) ? part[name].filter(isRecord) : [];
      if (pieces.length === 0) continue;
      const list = isWhole ? [] : (this.lists.get(name) ?? []);
      for (const piece of pieces) join(list, piece);
      this.lists.set(name, list);
      reasoning ||= pieces.map((piece) => GROWING.map((key) => textOrEmpty(piece[key])).join('')).join('');
    }
    for (const name of TEXTS) {
      const piece = textOrEmpty(part[name]);
      if (piece !== '') this.texts.set(name, isWhole ? piece : (this.texts.get(name) ?? '') + piece);
    }
    return reasoning;
  }

  /** As they are sent back; undefined if there are none. */
  fields(): Fields | undefined {
    const all = [...this.lists, ...this.texts];
    return all.length === 0 ? undefined : Object.fromEntries(all);
  }
}

/** Appends to the last detail if it continues that, else after it. */
function join(list: Fields[], piece: Fields): void {
  const last = list.at(-1);
  if (last === undefined || !goesOn(last, piece)) {
    list.push(piece);
    return;
  }
  const given = Object.fromEntries(Object.entries(piece).filter(([, value]) => value !== null && value !== undefined && value !== ''));
  const grown = GROWING.filter((key) => textOrEmpty(piece[key]) !== '').map((key) => [
    key,
    textOrEmpty(last[key]) + textOrEmpty(piece[key]),
  ]);
  list[list.length - 1] = { ...last, ...given, ...Object.fromEntries(grown) };
}

/** Only text arrives in pieces; encrypted details are complete, and a signature ends a text. */
function goesOn(last: Fields, piece: Fields): boolean {
  const isText = GROWING.some((key) => typeof last[key] === 'string') && piece.data === undefined;
  if (!isText || last.type !== piece.type || last.index !== piece.index) return false;
  return textOrEmpty(last.signature) === '' && (last.id === piece.id || piece.id === undefined || piece.id === null || last.id === null);
}
