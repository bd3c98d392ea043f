import type { FormField, FormValue, ServerForm, ValueProblem } from '../contract/types.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

function hasFormat(format: FormField['format'], text: string): boolean {
  if (format === 'email') return /^[^\s@]+@[^\s@]+$/.test(text);
  if (format === 'uri') return URL.canParse(text);
  if (format === undefined) return true;
  const isDay = (day: string): boolean => Number.isFinite(Date.parse(`${day}Z`)) && new Date(`${day}Z`).toISOString().startsWith(day);
  return (format === 'date' ? DATE : TIME).test(text) && isDay(`${text.slice(0, 10)}T00:00:00`) && Number.isFinite(Date.parse(text));
}

/** The problem of a value; null: it can be sent, or left out. */
export function problemOf(field: FormField, value: FormValue | undefined): ValueProblem | null {
  const { kind, required, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, choices, format } = field;
  if (value === undefined || value === '') return required ? 'required' : null;
  const within = (count: number): ValueProblem | null => {
    if (count < least) return 'least';
    return count > most ? 'most' : null;
  };
  const isChoice = (each: FormValue): boolean => choices.some((choice) => choice.value === each);
  if (kind === 'boolean') return typeof value === 'boolean' ? null : 'choice';
  if (kind === 'one') return isChoice(value) ? null : 'choice';
  if (kind === 'many') {
    if (typeof value !== 'object' || !value.every(isChoice)) return 'choice';
    return value.length === 0 && !required ? null : within(value.length);
  }
  if (kind === 'text') {
    if (typeof value !== 'string') return 'format';
    return within([...value].length) ?? (hasFormat(format, value) ? null : 'format');
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'number';
  return kind === 'integer' && !Number.isSafeInteger(value) ? 'integer' : within(value);
}

/** The entered values that are sent: fields of the form alone; null where one of them cannot be sent. */
export function contentOf({ fields }: ServerForm, values: Readonly<Record<string, FormValue>>): Record<string, FormValue> | null {
  const given = fields.map((field) => [field, Object.hasOwn(values, field.name) ? values[field.name] : undefined] as const);
  if (given.some(([field, value]) => problemOf(field, value) !== null)) return null;
  const isSent = ({ least = 0 }: FormField, value: FormValue | undefined): boolean =>
    value !== undefined && value !== '' && !(Array.isArray(value) && value.length < least);
  return Object.fromEntries(given.flatMap(([field, value]) => (value !== undefined && isSent(field, value) ? [[field.name, value]] : [])));
}
