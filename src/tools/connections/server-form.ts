import type { FormField, FormValue, ServerForm } from '../contract/types.ts';
import { frameName } from '../util/markers.ts';
import { isRecord } from '../util/plain-value.ts';

/** Why a value cannot be sent. */
export type ValueProblem = 'required' | 'choice' | 'few' | 'many' | 'short' | 'long' | 'number' | 'integer' | 'low' | 'high' | 'format';

const MAX_FIELDS = 40;
const MAX_CHOICES = 200;
const MAX_WORDS = 600;
/** UTF-16 units of a name or a choice, and of an address. */
const MAX_VALUE = 1000;
const MAX_ADDRESS = 2000;
const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;

/** By the protocol no form may ask for these. */
const SECRET =
  /\b(?:pass ?(?:words?|phrases?|codes?|wd)|pwd|secret|(?:api|access|private|secret|recovery) keys?|(?:access|api|auth|bearer|refresh|security|session) tokens?|credentials?|cvv|cvc|(?:card|social security) numbers?|credit cards?|ssn|one time (?:codes?|passwords?)|otp|seed phrases?)\b|密[码碼钥鑰]|口令|私[钥鑰]|[验驗][证證][码碼]|令牌|信用卡/iu;
const SECRET_NAME = /\b(?:pin|token|pass)\b/iu;

const line = (value: unknown, most = MAX_WORDS): string => (typeof value === 'string' ? frameName(value, most).trim() : '');
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
/** `userPassword` and `user_password` as words. */
const asWords = (name: string): string => name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll(/[_\-.]+/gu, ' ');

const asksSecret = ({ kind, name, title, description }: FormField): boolean =>
  kind === 'text' && (SECRET.test(asWords(`${name} ${title} ${description}`)) || SECRET_NAME.test(asWords(`${name} ${title}`)));

/** Texts to choose from, in each of the ways in which the protocol writes them; undefined where there are none. */
function choicesOf(schema: Readonly<Record<string, unknown>>): FormField['choices'] | undefined {
  const named = schema.oneOf ?? schema.anyOf;
  const pairs: readonly (readonly [unknown, unknown])[] = Array.isArray(named)
    ? named.map((each) => (isRecord(each) ? [each.const, each.title] : [undefined, undefined]))
    : (Array.isArray(schema.enum) ? schema.enum : []).map((value, at) => [
        value,
        Array.isArray(schema.enumNames) ? schema.enumNames[at] : '',
      ]);
  if (!Array.isArray(named) && !Array.isArray(schema.enum)) return undefined;
  const found = pairs.flatMap(([value, title]) =>
    typeof value === 'string' && value.length <= MAX_VALUE ? [[value, { value, label: line(title) || line(value) }] as const] : [],
  );
  return [...new Map(found).values()].slice(0, MAX_CHOICES);
}

function kindOf({ type, items, ...rest }: Readonly<Record<string, unknown>>): Pick<FormField, 'kind' | 'choices'> | null {
  if (type === 'boolean' || type === 'number' || type === 'integer') return { kind: type, choices: [] };
  const choices = choicesOf(type === 'array' && isRecord(items) ? items : rest);
  if (type === 'array') return choices ? { kind: 'many', choices } : null;
  if (type !== 'string') return null;
  return choices ? { kind: 'one', choices } : { kind: 'text', choices: [] };
}

function fieldOf(name: string, schema: unknown, required: boolean): FormField | null {
  const kind = isRecord(schema) && name.length <= MAX_VALUE ? kindOf(schema) : null;
  if (!isRecord(schema) || !kind) return null;
  const least = numberOf(schema.minimum ?? schema.minLength ?? schema.minItems);
  const most = numberOf(schema.maximum ?? schema.maxLength ?? schema.maxItems);
  const format = FORMATS.find((each) => each === schema.format);
  const field = {
    ...{ name, title: line(schema.title, 200) || line(name, 200), description: line(schema.description), required, ...kind },
    ...{ ...(least === undefined ? {} : { least }), ...(most === undefined ? {} : { most }), ...(format ? { format } : {}) },
  };
  const initial = schema.default;
  return isFormValue(initial) && problemOf(field, initial) === null ? { ...field, initial } : field;
}

const isFormValue = (value: unknown): value is FormValue =>
  ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every((each) => typeof each === 'string'));

/** Whether a page may be opened: over an encrypted connection, or on this machine, and without a password in its address. */
function isPage(address: string): boolean {
  if (address.length > MAX_ADDRESS || !URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  const isHere = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return (protocol === 'https:' || isHere) && username === '' && password === '';
}

/** What a server asks, as a person is shown it; in words, why it is shown to nobody. */
export function readServerForm(from: Pick<ServerForm, 'server' | 'destination'>, params: unknown): ServerForm | string {
  if (!isRecord(params)) return 'what it asked cannot be read';
  const form = { ...from, message: line(params.message, MAX_VALUE), fields: [] };
  if (params.mode === 'url') {
    const { url } = params;
    return typeof url === 'string' && isPage(url) ? { ...form, address: url } : 'it wanted a page opened whose address is not safe';
  }
  const { properties, required } = isRecord(params.requestedSchema) ? params.requestedSchema : {};
  const entries = Object.entries(isRecord(properties) ? properties : {});
  const fields = entries.map(([name, schema]) => fieldOf(name, schema, Array.isArray(required) && required.includes(name)));
  const known = fields.filter((field) => field !== null);
  if (known.length < fields.length || fields.length > MAX_FIELDS) return 'its form has fields that cannot be shown';
  const secret = known.find(asksSecret);
  if (secret) return `its form asked for a secret (“${secret.title}”), which no server may do in a form`;
  return { ...form, fields: known };
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

function hasFormat(format: FormField['format'], text: string): boolean {
  if (format === 'email') return /^[^\s@]+@[^\s@]+$/.test(text);
  if (format === 'uri') return URL.canParse(text);
  if (format === undefined) return true;
  const isDay = (day: string): boolean => Number.isFinite(Date.parse(`${day}Z`)) && new Date(`${day}Z`).toISOString().startsWith(day);
  return (format === 'date' ? DATE : TIME).test(text) && isDay(`${text.slice(0, 10)}T00:00:00`) && Number.isFinite(Date.parse(text));
}

/** What is wrong with a value; null: it can be sent, or left out. */
export function problemOf(field: FormField, value: FormValue | undefined): ValueProblem | null {
  const { kind, required, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, choices, format } = field;
  if (value === undefined || value === '') return required ? 'required' : null;
  const within = (count: number, low: ValueProblem, high: ValueProblem): ValueProblem | null => {
    if (count < least) return low;
    return count > most ? high : null;
  };
  const isChoice = (each: FormValue): boolean => choices.some((choice) => choice.value === each);
  if (kind === 'boolean') return typeof value === 'boolean' ? null : 'choice';
  if (kind === 'one') return isChoice(value) ? null : 'choice';
  if (kind === 'many') {
    if (typeof value !== 'object' || !value.every(isChoice)) return 'choice';
    return value.length === 0 && !required ? null : within(value.length, 'few', 'many');
  }
  if (kind === 'text') {
    if (typeof value !== 'string') return 'format';
    return within([...value].length, 'short', 'long') ?? (hasFormat(format, value) ? null : 'format');
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'number';
  return kind === 'integer' && !Number.isSafeInteger(value) ? 'integer' : within(value, 'low', 'high');
}

/** What is sent of what a person entered: fields of the form alone; null where one of them cannot be sent. */
export function contentOf({ fields }: ServerForm, values: Readonly<Record<string, FormValue>>): Record<string, FormValue> | null {
  const given = fields.map((field) => [field, Object.hasOwn(values, field.name) ? values[field.name] : undefined] as const);
  if (given.some(([field, value]) => problemOf(field, value) !== null)) return null;
  const isSent = ({ least = 0 }: FormField, value: FormValue | undefined): boolean =>
    value !== undefined && value !== '' && !(Array.isArray(value) && value.length < least);
  return Object.fromEntries(given.flatMap(([field, value]) => (value !== undefined && isSent(field, value) ? [[field.name, value]] : [])));
}
