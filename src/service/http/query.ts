import type { Context } from 'hono';
import * as v from 'valibot';
import { ServiceError } from '../contract/errors.ts';

/** Whole numbers as they are in an address. */
export const wholeNumber = (from: number, to: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, `give a whole number from ${from} to ${to}`),
    v.transform(Number),
    v.minValue(from, `give a whole number from ${from} to ${to}`),
    v.maxValue(to, `give a whole number from ${from} to ${to}`),
    v.metadata({ numbers: { from, to } }),
  );

const numbersFormat = v.object({ numbers: v.object({ from: v.number(), to: v.number() }) });

/** The range of `wholeNumber`; undefined for any other format. */
export function numbersOf(schema: v.GenericSchema): { readonly from: number; readonly to: number } | undefined {
  const inner = 'wrapped' in schema && isSchema(schema.wrapped) ? schema.wrapped : schema;
  const read = v.safeParse(numbersFormat, v.getMetadata(inner));
  return read.success ? read.output.numbers : undefined;
}

const isSchema = (value: unknown): value is v.GenericSchema => typeof value === 'object' && value !== null && '~standard' in value;

const IS_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** ISO 8601 as milliseconds since the epoch; days begin in UTC. */
export const time = v.pipe(
  v.string(),
  v.check((text) => IS_TIME.test(text) && !Number.isNaN(Date.parse(text)), 'give a time such as 2026-01-31 or 2026-01-31T12:00:00Z'),
  v.transform((text) => Date.parse(text)),
);

const shown = (text: string): string => JSON.stringify(text.slice(0, 40));

/** The parameters of a request's address. Throws ServiceError for unknown, repeated or invalid ones. */
export function readQuery<const Entries extends v.ObjectEntries>(
  context: Context,
  format: v.ObjectSchema<Entries, undefined>,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
  const given = context.req.queries();
  for (const [name, values] of Object.entries(given)) {
    if (!Object.hasOwn(format.entries, name)) {
      const names = Object.keys(format.entries).join(', ');
      throw new ServiceError(
        400,
        'bad_parameter',
        `there is no parameter ${shown(name)} here`,
        names === '' ? 'leave it out' : `use ${names}`,
      );
    }
    if (values.length > 1) throw new ServiceError(400, 'bad_parameter', `${name} is given twice`, 'give it once');
  }
  const read = v.safeParse(format, context.req.query());
  if (read.success) return read.output;
  const [issue] = read.issues;
  const name = v.getDotPath(issue) ?? '';
  throw new ServiceError(400, 'bad_parameter', `${name}: ${shown(context.req.query(name) ?? '')} is not a valid value`, issue.message);
}
