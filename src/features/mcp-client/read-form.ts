import { problemOf } from '../../tools/connections/server-form.ts';
import type { FormField, FormValue, ServerForm } from '../../tools/contract/types.ts';
import { frameLine } from '../../tools/util/markers.ts';
import { isRecord } from '../../tools/util/plain-value.ts';

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

const line = (value: unknown, most = MAX_WORDS): string => frameLine(value, most);
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
