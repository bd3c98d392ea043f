import { ToolError } from '../../tools/contract/errors.ts';
import type { ChangePlan } from '../../tools/contract/plans.ts';
import type {
  ApprovalDecision,
  ApprovalRequest,
  Tool,
  ToolArguments,
  ToolContext,
  ToolEffect,
  ToolGroup,
} from '../../tools/contract/types.ts';
import { READ_FREELY } from '../../tools/util/define.ts';
import { preview } from '../../tools/util/graphemes.ts';
import type { NewProposal } from './order-files.ts';
import { cellTarget } from './waiting-proposals.ts';

export interface ProposingDeps {
  /** Tools that may reach beyond this machine or start programs. */
  readonly allowed: readonly string[];
  /** Resolves with its number when it is kept. Rejects with ToolError if the run is over. */
  readonly keep: (proposal: NewProposal) => Promise<number>;
}

/** Groups whose writes are nobody's notes. */
const OWN_WRITES = ['basic'];

/** The texts that a plan would change, as they are: a part of them as long as the proposal still fits. */
export function beforeOf({ operations }: Pick<ChangePlan, 'operations'>): string {
  return JSON.stringify(operations.flatMap(({ action, blockId, before }) => (before === null ? [] : [[action, blockId, before]])));
}

/** What a plan changes of what is there; undefined if it also adds something, which may be wanted each time. */
function targetsOf({ operations }: ChangePlan): string[] | undefined {
  const isAll = operations.every(({ action, before }) => action === 'set-cell' || before !== null);
  const target = ({ action, blockId, cell, drawnAt, attributes = [] }: ChangePlan['operations'][number]): string =>
    cell && drawnAt ? cellTarget(drawnAt.row, cell.column) : [action, blockId, ...attributes.map(({ name }) => name)].join(' ');
  return isAll ? operations.map(target) : undefined;
}

/** The texts of blocks as they would be; undefined if it does anything else. */
function afterOf({ operations }: ChangePlan): Record<string, string> | undefined {
  if (operations.some(({ action }) => action !== 'update')) return undefined;
  return Object.fromEntries(operations.map(({ blockId, after }) => [blockId, after ?? '']));
}

function wordsOf({ document, operations }: ChangePlan): string {
  const [first] = operations;
  const text = first?.after ?? first?.before ?? '';
  return preview(`${document.title || document.path}: ${first?.action ?? ''} ${text.replaceAll(/\s+/gu, ' ')}`, 160);
}

/** A run must not be able to change what runs. Throws `no_right`. */
function requireOutside({ notices }: ChangePlan): void {
  if (!notices.some(({ code }) => code === 'changes-orders')) return;
  throw new ToolError('no_right', 'a standing order cannot change the note of standing orders', 'go on without it');
}

const KEPT =
  'Kept for the person as proposal NUMBER; nothing is written yet, and the notes read as before. A later change that needs this one ' +
  '(in a note or text that it would create) cannot be planned before it is approved: put it into the same call, or say in your answer what remains.';

/** The tool with its plan as its only effect: there is no approved plan in a run, so nothing can be applied. */
function proposingTool(tool: Tool, plan: NonNullable<Tool['plan']>, deps: ProposingDeps): Tool {
  const { plan: _plan, approvalScope: _scope, traits, leastPolicy: _least, deletes: _deletes, ...rest } = tool;
  const isWrite = (args: ToolArguments): boolean => (traits?.(args) ?? tool).effect === 'write';
  const propose = async (args: ToolArguments, context: ToolContext) => {
    const made = await plan(args, context);
    if (made.operations.length === 0)
      throw new ToolError('no_change', 'everything is already as requested', 'go on; there is nothing to propose');
    requireOutside(made);
    const { callId, nodeId } = context;
    const number = await deps.keep({
      id: callId,
      nodeId,
      tool: tool.definition.function.name,
      args,
      before: beforeOf(made),
      targets: targetsOf(made),
      after: afterOf(made),
      words: wordsOf(made),
    });
    return { status: 'success', data: KEPT.replace('NUMBER', String(number)), notebooks: [made.notebook.id] } as const;
  };
  return { ...rest, ...READ_FREELY, execute: (args, context) => (isWrite(args) ? propose(args, context) : tool.execute(args, context)) };
}

/** Whether it could send something away, or run something. */
const reachesOut = ({ effect, program }: Tool): boolean => effect === 'outgoing' || program !== undefined;

function toolOfRun(tool: Tool, group: string, deps: ProposingDeps): readonly Tool[] {
  const { name } = tool.definition.function;
  if (tool.waitsForUser) return [];
  if (reachesOut(tool)) return deps.allowed.includes(name) ? [tool] : [];
  if (tool.plan) return [proposingTool(tool, tool.plan, deps)];
  return tool.effect === 'read' || OWN_WRITES.includes(group) ? [tool] : [];
}

/** The tools of a run: those that read, and those that write as proposals. Nothing leaves the machine or starts a program unless allowed. */
export function proposingGroups(groups: readonly ToolGroup[], deps: ProposingDeps): readonly ToolGroup[] {
  const ofRun = groups.map((group) => ({ ...group, tools: group.tools.flatMap((tool) => toolOfRun(tool, group.name, deps)) }));
  return ofRun.filter(({ tools }) => tools.length > 0);
}

const NOBODY: ApprovalDecision = { approved: false, reason: 'nobody is there to approve this during a standing order' };

/**
 * Nobody is there: reads run whatever the settings ask. What reaches outside runs if the order names its tool and a chat would ask about it
 * once; what a chat shows each time is kept as a proposal. No change of notes asks in a run. Rejects with ToolError if it was kept.
 */
export async function decideInRun(request: ApprovalRequest, effect: ToolEffect, deps: ProposingDeps): Promise<ApprovalDecision> {
  const { kind, tool, args, plan, outgoing, program, scope, manual, callId } = request;
  if (kind !== 'execution' || plan) return NOBODY;
  if (effect !== 'outgoing' && !program) return { approved: true };
  if (!deps.allowed.includes(tool)) return NOBODY;
  if (manual || (scope !== undefined && program?.isNew !== true)) return { approved: true };
  const shown = program ? program.code : `${outgoing?.destination ?? ''} ${outgoing?.body ?? JSON.stringify(args)}`;
  const words = preview(`${tool}: ${shown.replaceAll(/\s+/gu, ' ')}`, 160);
  const number = await deps.keep({ id: callId, nodeId: '', tool, args, before: beforeOf({ operations: [] }), words });
  throw new ToolError(
    'not_approved',
    `${tool} is kept for the person as proposal ${number}: nothing was sent or run`,
    'go on without its result; do not make the call again',
  );
}
