import { describe, expect, it } from 'vitest';
import type { ToolPermissionV2 } from '../../tools/contract/types.ts';
import { HeadlessApprovalAdapter, ToolExecutor } from '../../tools/index.ts';
import { permissionsUnder } from './policy.ts';

const EXECUTIONS = ['auto', 'ask-once', 'ask-always'] as const;
const RESULTS = ['never', 'on-error', 'always'] as const;
const ENTRIES: readonly (ToolPermissionV2 | undefined)[] = [
  undefined,
  ...EXECUTIONS.flatMap((executionPolicy) => RESULTS.map((resultApprovalPolicy) => ({ executionPolicy, resultApprovalPolicy }))),
];

/** What a call of the tool asks in the service: `own`, `named` and `others` of the tool, the settings for it, and those for all others. */
async function askedOf(parts: {
  readonly own: ToolPermissionV2;
  readonly named: ToolPermissionV2 | undefined;
  readonly others: ToolPermissionV2 | undefined;
  readonly isAllowed: boolean;
  readonly fails: boolean;
}): Promise<readonly string[]> {
  const { own, named, others, isAllowed, fails } = parts;
  const asked: string[] = [];
  const adapter = new HeadlessApprovalAdapter(({ kind }) => {
    asked.push(kind);
    return { approved: true };
  });
  const permissions = permissionsUnder(isAllowed ? ['note'] : [], { ...(named && { note: named }), ...(others && { '*': others }) });
  const executor = new ToolExecutor({ approvalAdapter: adapter, clock: { now: () => 0, today: () => '2026-01-01' } as never, permissions });
  executor.registerToolGroup({
    name: 'notes',
    tools: [
      {
        definition: { type: 'function', function: { name: 'note', description: 'd', parameters: { type: 'object', properties: {} } } },
        permission: own,
        effect: 'read',
        execute: async () => {
          if (fails) throw new Error('no');
          return { status: 'success', data: 'x' };
        },
      },
    ],
  });
  executor.toggleGroupEnabled('notes', true);
  await executor.execute('note', {}, { callId: 'a', sessionId: 's', nodeId: 'n', signal: new AbortController().signal });
  return asked;
}

describe.each([true, false])('a tool, allowed by the policy file: %s', (isAllowed) => {
  it.each([true, false])('that fails: %s, asks as the strictest of all says', async (fails) => {
    const owns = [ENTRIES[1], ENTRIES[4], ENTRIES[9]] as readonly ToolPermissionV2[];
    for (const own of owns)
      for (const named of ENTRIES)
        for (const others of ENTRIES) {
          const asked = await askedOf({ own, named, others, isAllowed, fails });
          const said = [named, others].flatMap((each) => (each && each.executionPolicy !== 'auto' ? [each] : []));
          const before = said.length > 0 || (!isAllowed && own.executionPolicy !== 'auto');
          const results = (named ?? others ?? own).resultApprovalPolicy;
          const after = results === 'always' || (results === 'on-error' && fails);
          expect([asked, own, named, others]).toEqual([
            [...(before ? ['execution'] : []), ...(after ? ['result'] : [])],
            own,
            named,
            others,
          ]);
        }
  });
});
