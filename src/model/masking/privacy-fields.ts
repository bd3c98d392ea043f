import { ToolError } from '../../tools/contract/errors.ts';

/** `privacy` of `settings.json`, as it is in the file: it may be edited by hand, so each entry is parsed separately (readFields). */
export interface PrivacySettings {
  readonly enabled: unknown;
  readonly fields: readonly unknown[];
}

/** One thing that is masked in requests. `number` counts the entries of the list from 1; `label` tells the model what it is. */
export type PrivacyField =
  | { readonly kind: 'word'; readonly number: number; readonly word: string; readonly label: string }
  | { readonly kind: 'expression'; readonly number: number; readonly source: string; readonly flags: string; readonly label: string };

export type FieldProblem = 'no-text' | 'empty' | 'flags' | 'syntax' | 'unsupported' | 'matches-nothing';

/** On for everything except a plain "off": an unreadable value must not send notes unmasked. */
export const isMasking = ({ enabled, fields }: PrivacySettings): boolean =>
  enabled !== false && enabled !== undefined && (fields.length > 0 || enabled !== true);

const FLAGS = /^[gimsu]*$/;

/** A word, or `/expression/flags`; or `{"match": …, "label": …}` if it has a label for the model. */
export function readField(entry: unknown, number: number): PrivacyField | FieldProblem {
  const isObject = typeof entry === 'object' && entry !== null;
  const match: unknown = isObject ? Reflect.get(entry, 'match') : entry;
  const name: unknown = isObject ? Reflect.get(entry, 'label') : '';
  if (typeof match !== 'string') return 'no-text';
  const label = typeof name === 'string' ? name.trim().replace(/\s+/g, ' ') : '';
  const text = match.trim();
  const expression = /^\/([\s\S]+)\/([a-z]*)$/i.exec(text);
  if (expression) {
    const [, source = '', flags = ''] = expression;
    return FLAGS.test(flags) ? { kind: 'expression', number, source, flags, label } : 'flags';
  }
  return text === '' ? 'empty' : { kind: 'word', number, word: text, label };
}

/** The number of an invalid entry, and what is wrong with it. Nothing is sent while there is one. */
export function badField(number: number, problem: string): ToolError {
  return new ToolError(
    'privacy_invalid',
    number === 0
      ? 'the settings do not say clearly what is private'
      : `private field ${number} cannot be used (${problem}), and nothing was sent`,
    'open the settings, correct the field or remove it, and send again',
  );
}

/** The labels of the fields, as the model gets them; none while nothing is masked. */
export function fieldLabels(privacy: PrivacySettings | undefined): readonly string[] | undefined {
  if (!privacy || !isMasking(privacy)) return undefined;
  return privacy.fields.map((entry, index) => {
    const field = readField(entry, index + 1);
    return typeof field === 'string' ? '' : field.label;
  });
}
