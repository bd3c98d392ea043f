import { canonicalJson, isRecord } from '../../tools/util/plain-value.ts';
import type { OrderRun, Proposal } from './order-files.ts';

interface WaitingProposal {
  readonly run: OrderRun;
  readonly proposal: Proposal;
}

/** A cell as a target. */
export const cellTarget = (row: unknown, column: string): string => `cell ${String(row)} ${column.toLowerCase()}`;

/** Without the cells that a later proposal sets. */
function withoutReplaced(proposal: Proposal, replaced: ReadonlySet<string>): Proposal {
  const { tool, args, targets } = proposal;
  if (tool !== 'db_write' || args.op !== 'set_cells' || !Array.isArray(args.rows) || !targets?.some((each) => replaced.has(each)))
    return proposal;
  const rows = args.rows.filter(isRecord).flatMap((row) => {
    const values = Object.entries(Object(row.values)).filter(([column]) => !replaced.has(cellTarget(row.row, column)));
    return values.length === 0 ? [] : [{ ...row, values: Object.fromEntries(values) }];
  });
  return { ...proposal, args: { ...args, rows } };
}

/**
 * What waits for the person, oldest run first. A proposal is replaced by those of later runs of its order, whatever became of them: by an
 * equal one, and by those that change all that it changes.
 */
export function waitingIn(runs: readonly OrderRun[]): readonly WaitingProposal[] {
  const later = new Map<string, { readonly calls: Set<string>; readonly targets: Set<string> }>();
  const waiting: WaitingProposal[] = [];
  const callOf = ({ tool, args }: Proposal): string => canonicalJson([tool, args]);
  for (const run of runs.filter(({ status }) => status !== 'running').sort((left, right) => right.started - left.started)) {
    const { calls, targets } = later.get(run.order) ?? { calls: new Set<string>(), targets: new Set<string>() };
    const isReplaced = (proposal: Proposal): boolean =>
      calls.has(callOf(proposal)) || (proposal.targets?.every((each) => targets.has(each)) ?? false);
    const left = run.proposals.filter((each) => each.status === 'pending' && !isReplaced(each));
    waiting.unshift(...left.map((each) => ({ run, proposal: withoutReplaced(each, targets) })));
    // One that was cut off is made again.
    const made = run.status === 'cut_off' ? [] : run.proposals;
    for (const each of made) {
      calls.add(callOf(each));
      for (const target of each.targets ?? []) targets.add(target);
    }
    later.set(run.order, { calls, targets });
  }
  return waiting;
}
