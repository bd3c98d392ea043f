import type { CellInput } from '../../tools/contract/databases.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { evenForm, namedAlike } from '../../tools/equal-text/equal-text.ts';
import { preview } from '../../tools/util/graphemes.ts';
import type { CellValue, DatabaseKey } from './database-format.ts';

/** A cell for SiYuan: the field that the column's type names. */
export type CellField = Partial<
  Pick<CellValue, 'text' | 'number' | 'date' | 'mSelect' | 'url' | 'email' | 'phone' | 'checkbox' | 'relation' | 'mAsset'>
>;

const NO_DATE = { content: 0, isNotEmpty: false, hasEndDate: false, isNotTime: true, content2: 0, isNotEmpty2: false };

const EMPTY: Readonly<Record<string, CellField>> = {
  text: { text: { content: '' } },
  number: { number: { content: 0, isNotEmpty: false } },
  select: { mSelect: [] },
  mSelect: { mSelect: [] },
  date: { date: NO_DATE },
  checkbox: { checkbox: { checked: false } },
  url: { url: { content: '' } },
  email: { email: { content: '' } },
  phone: { phone: { content: '' } },
  relation: { relation: { blockIDs: [] } },
  mAsset: { mAsset: [] },
};

/** Undefined for a type that cannot be written. */
export const emptyField = (type: string): CellField | undefined => EMPTY[type];

const MAX_CHARS = 20_000;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?$/;

const shown = (input: CellInput): string => preview(JSON.stringify(input), 60);

function wrong({ name, type }: DatabaseKey, input: CellInput, what: string): ToolError {
  return new ToolError('bad_value', `${shown(input)} does not fit "${name}" (${type})`, `give ${what}, or null for an empty cell`);
}

function timeOf(text: string): { readonly time: number; readonly isNotTime: boolean } | undefined {
  const parts = DATE.exec(text.trim());
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  const date = new Date(year, month - 1, day, hour, minute);
  const isReal = date.getMonth() === month - 1 && date.getDate() === day && date.getHours() === hour && date.getMinutes() === minute;
  return isReal ? { time: date.getTime(), isNotTime: parts[4] === undefined } : undefined;
}

function dateField(key: DatabaseKey, input: CellInput): CellField {
  const what = 'a day like "2026-01-31", with a time "2026-01-31 14:00", or a range "2026-01-31 / 2026-02-02"';
  const [start, end, ...more] = typeof input === 'string' ? input.split('/').map(timeOf) : [];
  if (!start || more.length > 0 || (typeof input === 'string' && input.includes('/') && !end)) throw wrong(key, input, what);
  if (end && (end.time < start.time || end.isNotTime !== start.isNotTime))
    throw wrong(key, input, `${what}; the end is not before the start`);
  const { time, isNotTime } = start;
  const range = end ? { hasEndDate: true, content2: end.time, isNotEmpty2: true } : {};
  return { date: { ...NO_DATE, content: time, isNotEmpty: true, isNotTime, ...range } };
}

const digitsOf = (text: string): string =>
  text
    .replace(/e.*$/iu, '')
    .replace(/\D/gu, '')
    .replace(/^0+|0+$/gu, '');

/** True if a number is stored with all the digits that were given. JSON has rounded a large one before it arrives here. */
function isExact(input: string | number, content: number): boolean {
  if (typeof input === 'number') return !Number.isInteger(input) || Number.isSafeInteger(input);
  return !/^[+-]?[\d.]+(?:e[+-]?\d+)?$/iu.test(input.trim()) || digitsOf(input) === digitsOf(String(content));
}

function numberField(key: DatabaseKey, input: CellInput): CellField {
  const content = typeof input === 'string' && input.trim() !== '' ? Number(input) : input;
  if (typeof content !== 'number' || !Number.isFinite(content)) throw wrong(key, input, 'a number');
  if ((typeof input === 'string' || typeof input === 'number') && !isExact(input, content))
    throw wrong(key, input, 'at most 15 digits: SiYuan would round it; more belong into a text column');
  return { number: { content, isNotEmpty: true } };
}

function textsOf(key: DatabaseKey, input: CellInput, what: string): readonly string[] {
  const list = typeof input === 'string' ? [input] : input;
  if (!Array.isArray(list) || !list.every((each): each is string => typeof each === 'string' && each.trim() !== ''))
    throw wrong(key, input, what);
  return [...new Set(list.map((each: string) => each.trim()))];
}

const isSameCase = (one: string, other: string): boolean => evenForm(one, 'same', true) === evenForm(other, 'same', true);

/** Options are matched by name; `color` is SiYuan's own. */
function selectField(key: DatabaseKey, input: CellInput): CellField {
  const names = textsOf(key, input, key.type === 'select' ? 'the name of one option' : 'a list of names of options');
  if (key.type === 'select' && names.length > 1) throw wrong(key, input, 'the name of one option');
  return {
    mSelect: names.map((name) => {
      const [option] = namedAlike(key.options ?? [], ({ name: known }) => known, name).filter(({ name: known }) => isSameCase(known, name));
      return { content: option?.name ?? name, color: String(option?.color ?? '1') };
    }),
  };
}

function plainField(key: DatabaseKey, input: CellInput): string {
  const text = typeof input === 'number' && isExact(input, input) ? String(input) : input;
  if (typeof text !== 'string') throw wrong(key, input, 'a text, in quotes');
  if (text.length > MAX_CHARS)
    throw new ToolError(
      'too_large',
      `the text for "${key.name}" is longer than ${MAX_CHARS} characters`,
      'write a shorter one, or put it into a note',
    );
  return text;
}

/** SiYuan opens it at a click: only addresses that run nothing. */
const SAFE_ADDRESS = /^(?:https?:\/\/|siyuan:\/\/|mailto:|tel:)\S+$/iu;

function urlField(key: DatabaseKey, input: CellInput): CellField {
  const content = plainField(key, input).trim();
  if (!SAFE_ADDRESS.test(content)) throw wrong(key, input, 'an address that begins with https://, http:// or siyuan://');
  return { url: { content } };
}

const PICTURE = /\.(?:png|jpe?g|gif|webp|svg|bmp|avif)$/iu;

/** Files of the workspace only: a picture from elsewhere would be fetched as soon as it is shown. */
function assetField(key: DatabaseKey, input: CellInput): CellField {
  const paths = textsOf(key, input, 'a list of paths like "assets/report.pdf"');
  if (!paths.every((path) => /^assets\/[^?#\\]+$/u.test(path) && !path.includes('..')))
    throw wrong(key, input, 'a list of paths like "assets/report.pdf"');
  return {
    mAsset: paths.map((content) => ({
      type: PICTURE.test(content) ? 'image' : 'file',
      name: content.slice(content.lastIndexOf('/') + 1),
      content,
    })),
  };
}

/** SiYuan's value for a model's; null and '' empty the cell. Rejects with `bad_value`. The caller looks up options and rows. */
export function cellField(key: DatabaseKey, input: CellInput): CellField {
  const empty = emptyField(key.type);
  if (!empty) throw new ToolError('bad_value', `"${key.name}" (${key.type}) is filled by SiYuan`, 'leave it out');
  if (input === null || input === '' || (Array.isArray(input) && input.length === 0)) return empty;
  switch (key.type) {
    case 'text':
      return { text: { content: plainField(key, input) } };
    case 'number':
      return numberField(key, input);
    case 'select':
    case 'mSelect':
      return selectField(key, input);
    case 'date':
      return dateField(key, input);
    case 'checkbox':
      if (typeof input !== 'boolean') throw wrong(key, input, 'true or false');
      return { checkbox: { checked: input } };
    case 'url':
      return urlField(key, input);
    case 'email': {
      const content = plainField(key, input).trim();
      if (!/^[^\s@]+@[^\s@]+$/u.test(content)) throw wrong(key, input, 'an address like "a@example.com"');
      return { email: { content } };
    }
    case 'phone':
      return { phone: { content: plainField(key, input).trim() } };
    case 'relation':
      return { relation: { blockIDs: [...textsOf(key, input, 'a list of row ids of the other database')] } };
    default:
      return assetField(key, input);
  }
}
