import type { Span } from '../contract.ts';
import type { RequestDraft } from '../scanner/syntax.ts';

export interface Field {
  readonly key: string;
  readonly value: string;
  readonly span: Span;
}

const NAME_KEY = 'tool_name';
const ID_KEY = 'request_id';

const isKey = (key: string, wanted: string): boolean => key.length === wanted.length && key.toLowerCase() === wanted;
export const isNameKey = (key: string): boolean => isKey(key, NAME_KEY);
export const isReserved = (key: string): boolean => isNameKey(key) || isKey(key, ID_KEY);

/** More requests in one block are not meant. */
const MAX_COMMANDS = 100;

export function draftsOf(fields: readonly Field[], invalid: string | undefined, warnings: readonly string[]): readonly RequestDraft[] {
  const numbers = commandNumbers(fields);
  if (numbers.length === 0 || invalid !== undefined) return [draftOf(fields, invalid, warnings)];
  if (numbers.length > MAX_COMMANDS) return [draftOf(fields, `it has more than ${MAX_COMMANDS} commands; send fewer at a time`, warnings)];
  return numbers.map((number) => draftOf(fieldsOf(number, numbers, fields), undefined, warnings));
}

function draftOf(fields: readonly Field[], broken: string | undefined, warned: readonly string[]): RequestDraft {
  const reserved: Record<string, string> = {};
  const args: Record<string, unknown> = {};
  const argumentSpans: Record<string, Span> = {};
  const warnings = [...warned];
  for (const { key, value, span } of fields) {
    const known = isReserved(key) ? key.toLowerCase() : undefined;
    if (Object.hasOwn(known === undefined ? args : reserved, known ?? key)) warnings.push(`"${key}" is given twice; the last one counts`);
    if (known === undefined) {
      put(args, key, value);
      put(argumentSpans, key, span);
    } else {
      reserved[known] = value.trim();
    }
  }
  const { [NAME_KEY]: toolName = '', [ID_KEY]: requestId = '' } = reserved;
  const invalid = broken ?? (toolName === '' ? 'it has no tool_name; write tool_name:「始」name「末」' : undefined);
  return {
    ...(requestId === '' ? {} : { requestId }),
    toolName,
    args,
    ...(invalid === undefined ? {} : { invalid }),
    warnings,
    argumentSpans,
  };
}

function put<Item>(record: Record<string, Item>, key: string, value: Item): void {
  // As an assignment it would set the prototype.
  if (key === '__proto__') Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  else record[key] = value;
}

function commandNumbers(fields: readonly Field[]): readonly string[] {
  if (!fields.some(({ key }) => key.startsWith('command'))) return [];
  const found = new Set(fields.flatMap(({ key }) => splitNumber(key, 'command') ?? []));
  return [...found].sort((left, right) => Number(left) - Number(right));
}

function splitNumber(key: string, stem: string): string | undefined {
  const number = key.startsWith(stem) ? key.slice(stem.length) : '';
  return /^[1-9]\d{0,5}$/.test(number) ? number : undefined;
}

/** Fields with the number, without it; then those whose number belongs to no command, which all share. */
function fieldsOf(number: string, numbers: readonly string[], fields: readonly Field[]): readonly Field[] {
  const known = new Set(numbers);
  const own: Field[] = [];
  const shared: Field[] = [];
  for (const field of fields) {
    const suffix = /[1-9]\d{0,5}$/.exec(field.key)?.[0];
    if (suffix === undefined || !known.has(suffix) || suffix === field.key) shared.push(field);
    else if (suffix === number) own.push({ ...field, key: field.key.slice(0, -suffix.length) });
  }
  const ownKeys = new Set(own.map(({ key }) => key));
  return [...shared.filter(({ key }) => !ownKeys.has(key)), ...own];
}
