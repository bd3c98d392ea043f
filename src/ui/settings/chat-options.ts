/** Options of requests: those with a field of their own in the chat's settings, and the rest, which is written as JSON. */
type Options = Readonly<Record<string, unknown>>;

const WITH_FIELD = ['temperature', 'max_tokens', 'reasoning_effort'] as const;
export type FieldOption = (typeof WITH_FIELD)[number];

/** Set by every request itself, so a value written by hand would have no effect. */
const RESERVED = ['model', 'messages', 'tools'];

const hasField = (name: string): boolean => WITH_FIELD.some((known) => known === name);
const pick = (options: Options, isPicked: (name: string) => boolean): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => isPicked(name)));

/** The options without a field, as JSON text; '' if there are none. */
export function optionsText(options: Options): string {
  const rest = pick(options, (name) => !hasField(name));
  return Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : '';
}

/** Without `value` the option comes from the settings again. */
export function withOption(options: Options, name: FieldOption, value: unknown): Options {
  const { [name]: _before, ...others } = options;
  return value === undefined ? others : { ...others, [name]: value };
}

export type ReadOptions =
  | { readonly kind: 'ok'; readonly options: Options }
  /** `detail`: where the JSON breaks off, or the name that cannot be set. */
  | { readonly kind: 'not-json' | 'no-object' | 'reserved'; readonly detail: string };

export function readOptions(text: string, before: Options): ReadOptions {
  const kept = pick(before, hasField);
  if (text.trim() === '') return { kind: 'ok', options: kept };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'not-json', detail: error instanceof Error ? error.message : '' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'no-object', detail: '' };
  const reserved = Object.keys(value).find((name) => RESERVED.includes(name));
  return reserved === undefined ? { kind: 'ok', options: { ...kept, ...value } } : { kind: 'reserved', detail: reserved };
}
