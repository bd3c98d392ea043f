import * as v from 'valibot';
import { UsageError } from './errors.ts';

/** What may run while nobody watches (docs/service.md). */
export interface UnattendedPolicy {
  /** Tools that run without being approved; what goes beyond a notebook's right, or leaves the machine, is asked about all the same. */
  readonly allow: readonly string[];
  /** What becomes of every other call that needs an approval: it waits for one, or is rejected at once. */
  readonly otherwise: 'ask' | 'reject';
}

export const ASK_ALWAYS: UnattendedPolicy = { allow: [], otherwise: 'ask' };

const fields = v.strictObject({
  allow: v.optional(v.array(v.pipe(v.string(), v.minLength(1))), []),
  otherwise: v.optional(v.picklist(['ask', 'reject']), 'ask'),
});
// A list has no field that is wrong.
const policyFormat = v.pipe(
  v.unknown(),
  v.check((value) => !Array.isArray(value), 'it is a list'),
  fields,
);

const EXAMPLE = '{"allow": ["create_doc"], "otherwise": "reject"}';

/** Reads a policy file. Throws UsageError for whatever is not exactly one, such as a tool that there is not: a slip must allow nothing. */
export function readPolicy(text: string, file: string, tools: ReadonlySet<string>): UnattendedPolicy {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`bad_policy: ${file} is not JSON (${error instanceof Error ? error.message : ''}) → write ${EXAMPLE}`);
  }
  const read = v.safeParse(policyFormat, parsed);
  if (!read.success) {
    const [issue] = read.issues;
    throw new UsageError(`bad_policy: ${file}: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message} → write ${EXAMPLE}`);
  }
  const unknown = read.output.allow.filter((name) => !tools.has(name));
  if (unknown.length > 0)
    throw new UsageError(
      `bad_policy: ${file}: there is no tool ${unknown.join(', ')} that may run without asking → docs/tools.md has their names`,
    );
  return read.output;
}
