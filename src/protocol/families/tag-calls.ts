import { parseLenientAt } from '../../tools/util/lenient-json.ts';
import { BROKE_OFF, draftOf, draftsOfJson, invalidDraft } from '../call-object.ts';
import type { RequestDraft } from '../scanner/syntax.ts';

const SPACE = String.raw`(?:[|｜]{1,2}DSML[|｜]{1,2}|\w+:)?`;
/** `<function=name>`, `<invoke name="name">`, with a namespace or without. */
export const TAG_CALL = new RegExp(String.raw`<(${SPACE})(function|invoke)(?:=|\s+name=)["']?([\w.:/-]{1,80})["']?\s*>`, 'uy');
const PARAMETER = new RegExp(String.raw`\s*<(${SPACE})(parameter|param)(?:=|\s+name=)["']?([^"'<>\s]{1,80})["']?[^<>]*>`, 'uy');
/** In a value: it may really be the end of the call, so that the rest would be text of a note. */
const CALL_IN_VALUE = /<\/?(?:[|｜]{1,2}DSML[|｜]{1,2}|\w+:)?(?:tool_call|function\b|function=|invoke\b|parameter\b|parameter=)/u;

/** The call whose tag is at `at`, and its end. A call with such tags in a value does not run. */
export function readTagCall(text: string, at: number): { readonly draft: RequestDraft; readonly end: number } {
  TAG_CALL.lastIndex = at;
  const [opened = '', space = '', kind = '', toolName = ''] = TAG_CALL.exec(text) ?? [];
  const close = `</${space}${kind}>`;
  let position = at + opened.length;
  const behind = /\s*/uy;
  behind.lastIndex = position;
  position += behind.exec(text)?.[0].length ?? 0;
  if (text.startsWith('{', position)) return readObject(text, position, toolName, close);
  const args = new Map<string, string>();
  const invalid = (why: string) => ({ draft: invalidDraft(why, toolName), end: text.length });
  for (;;) {
    PARAMETER.lastIndex = position;
    const found = PARAMETER.exec(text);
    if (found === null) break;
    const [whole, own = '', word = '', key = ''] = found;
    const from = position + whole.length;
    const end = text.indexOf(`</${own}${word}>`, from);
    if (end < 0) return invalid(BROKE_OFF);
    const value = text.slice(from, end);
    if (CALL_IN_VALUE.test(value)) return invalid(`the value of "${key}" holds a tag of a call, or was not closed; send the call as JSON`);
    // A line break on each side belongs to the tags.
    args.set(key, value.replace(/^\r?\n/u, '').replace(/\r?\n$/u, ''));
    position = end + `</${own}${word}>`.length;
  }
  const closed = closeAt(text, position, close);
  if (closed !== undefined) return { draft: draftOf(toolName, Object.fromEntries(args), true), end: closed };
  return invalid(
    /\S/u.test(text.slice(position)) && !/^\s*<[^>]*$/u.test(text.slice(position))
      ? 'its arguments could not be read; send them as JSON'
      : BROKE_OFF,
  );
}

function readObject(text: string, at: number, name: string, close: string): { readonly draft: RequestDraft; readonly end: number } {
  const read = parseLenientAt(text, at);
  if (read.kind !== 'value') {
    const why = read.kind === 'cut' ? BROKE_OFF : `its arguments are no JSON: ${read.reason}`;
    return { draft: invalidDraft(why, name), end: text.length };
  }
  const [draft = invalidDraft(BROKE_OFF, name)] = draftsOfJson({ name, arguments: read.value });
  return { draft, end: closeAt(text, read.end, close) ?? read.end };
}

/** The end of the closing tag at a position; undefined if there is none. */
function closeAt(text: string, at: number, close: string): number | undefined {
  const from = at + (text.length - at - text.slice(at).trimStart().length);
  return text.startsWith(close, from) ? from + close.length : undefined;
}
