import type { ToolArguments } from '../../tools/contract/types.ts';
import { preview } from '../../tools/util/graphemes.ts';
import type { ActivityRecord } from './activity.ts';

const SHORT = 200;

function shortValue(value: unknown): unknown {
  if (typeof value === 'string') return preview(value, SHORT);
  if (Array.isArray(value)) return value.slice(0, 20).map(shortValue);
  return typeof value === 'object' && value !== null ? shortFields(value) : value;
}

const shortFields = (fields: object): ToolArguments =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shortValue(value)]));

/** A record as a list shows it: each text cut to 200 characters, each list among its arguments to 20. */
export function shortRecord(record: ActivityRecord): ActivityRecord {
  const { result, error, userMessage } = record;
  return {
    ...record,
    arguments: shortFields(record.arguments),
    result: result === null ? null : preview(result, SHORT),
    error: error && { ...error, message: preview(error.message, SHORT) },
    userMessage: preview(userMessage, SHORT),
  };
}
