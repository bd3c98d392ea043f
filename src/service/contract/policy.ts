import * as v from 'valibot';
import { OTHERS, type Settings } from '../../host/settings/settings-format.ts';
import type { ToolPermissionV2 } from '../../tools/contract/types.ts';
import { UsageError } from './errors.ts';

/** What may run unattended (docs/service.md). */
export interface UnattendedPolicy {
  /** Tools that run without approval; what exceeds a notebook's right, or leaves the machine, still asks. */
  readonly allow: readonly string[];
  /** What happens to every other call that needs an approval: it waits for one, or is rejected at once. */
  readonly otherwise: 'ask' | 'reject';
}

/** By tool; `*`: all others. What is absent is what the tool says. */
export type Permissions = Readonly<Record<string, Partial<ToolPermissionV2>>>;

export const ASK_ALWAYS: UnattendedPolicy = { allow: [], otherwise: 'ask' };

/**
 * The permissions of tools where nobody watches, the strictest of the settings and the policy: “without asking” of the settings does not
 * count, “always asks” counts whatever the policy allows, and whether results are shown first is what the settings say.
 */
export function permissionsUnder(allow: UnattendedPolicy['allow'], settings: Settings['permissions']): Permissions {
  const others = settings[OTHERS];
  const of = (name: string): Partial<ToolPermissionV2> => {
    const own = settings[name];
    const asked = [own, others].find((each) => each !== undefined && each.executionPolicy !== 'auto')?.executionPolicy;
    const executionPolicy = asked ?? (allow.includes(name) ? 'auto' : undefined);
    const resultApprovalPolicy = (own ?? others)?.resultApprovalPolicy;
    return { ...(executionPolicy && { executionPolicy }), ...(resultApprovalPolicy && { resultApprovalPolicy }) };
  };
  return Object.fromEntries([...Object.keys(settings), ...allow].map((name) => [name, of(name)]));
}

const fields = v.strictObject({
  allow: v.optional(v.array(v.pipe(v.string(), v.minLength(1))), []),
  otherwise: v.optional(v.picklist(['ask', 'reject']), 'ask'),
});
// A list has no invalid field.
const policyFormat = v.pipe(
  v.unknown(),
  v.check((value) => !Array.isArray(value), 'it is a list'),
  fields,
);

const EXAMPLE = '{"allow": ["create_doc"], "otherwise": "reject"}';

/** Parses a policy file. Throws UsageError for anything invalid, such as an unknown tool: a typo must allow nothing. */
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
