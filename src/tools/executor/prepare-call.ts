import { ToolError } from '../contract/errors.ts';
import type { ToolChainEventBody } from '../contract/events.ts';
import type { ApprovedPlan, ChangePlan } from '../contract/plans.ts';
import { mergeSources, type NoteRights, type NoteSource } from '../contract/provenance.ts';
import type { CallTraits, Tool, ToolArguments, ToolContext, ToolGroup } from '../contract/types.ts';
import type { Variable } from '../contract/variable.ts';
import { cutArguments } from '../util/cut-texts.ts';
import { lazyPart } from '../util/lazy.ts';
import { notify } from '../util/notify.ts';
import { canonicalJson } from '../util/plain-value.ts';
import { type Renew, runLimited } from '../util/run-limited.ts';
import { coerceScalars, parseArguments } from './arguments.ts';
import type { ApprovalContext, ApprovalEnvironment, Asking } from './call-approval.ts';
import { hasReferences, resolveReferences } from './references.ts';
import { shapeArguments } from './shape-arguments.ts';
import { sourcesOf, type VariableRights } from './variable-rights.ts';
import type { VariableSystem } from './variables.ts';

/** A call among writes that are planned and shown together; it runs when every earlier one has settled. */
export interface BatchSlot {
  whenEarlierSettled(): Promise<{
    /** One of them wrote, or may have: the plan made before may not fit any more. */
    readonly earlierWrote: boolean;
    readonly refusal: ToolError | undefined;
  }>;
}

export interface ExecuteOptions {
  readonly callId: string;
  readonly sessionId: string;
  readonly nodeId: string;
  readonly signal: AbortSignal;
  readonly skipResultApproval?: boolean;
  /** true: a person requested this very call; its writes still ask. false: the person is asked, whatever the settings allow. */
  readonly confirmed?: boolean;
  readonly byPerson?: boolean;
  /** Of the model of this chat itself: a change that the person lets through needs no question. */
  readonly mayGoUnasked?: boolean | undefined;
  /** Milliseconds for the tool itself; time that a person takes to approve does not count. */
  readonly timeoutMs?: number;
  /** For a call that is planned and shown together with others: it runs when it is its turn. */
  readonly place?: BatchSlot;
  /** tool-progress, approval-request/-end and write; start and end are the caller's. */
  readonly onEvent?: (event: ToolChainEventBody) => void;
}

export interface CallEnvironment extends ApprovalEnvironment {
  readonly variables: VariableSystem;
  readonly rights: NoteRights;
  readonly variableRights: VariableRights;
  readonly traitsOf: (tool: Tool, args: ToolArguments) => CallTraits;
  readonly requireEnabled: (name: string, options: Pick<ExecuteOptions, 'confirmed'>) => void;
  readonly localOnly: () => boolean;
  /** The maximum number of tokens in a result, if the model's window is small. */
  readonly resultTokens?: () => number | undefined;
  readonly cachesResults: (name: string) => boolean;
  readonly gate: NonNullable<ToolGroup['gate']>;
  readonly noteNotesRead: () => void;
  readonly noteRun: (name: string) => void;
  /** True: a person sits before it, who can fill in a form of a server. Default: nobody does, and the server gets "cancel". */
  readonly answersForms: boolean;
  readonly graceMs: number;
}

export interface Call extends Omit<Asking, 'plan'> {
  readonly name: string;
  /** As the model sent them, with unresolved references: this is cached. */
  readonly rawArgs: ToolArguments;
  readonly sources: readonly NoteSource[];
  readonly options: ExecuteOptions;
  readonly context: ApprovalContext;
  readonly requireReadable: NonNullable<ToolContext['requireReadable']>;
}

/** Rejects with `not_loaded`. */
export const loadValidation = lazyPart(() => import('./validate-arguments.ts'));

/** Work before a call runs, within the time limit of the call. Rejects with ToolError. */
async function inTime<T>(
  environment: CallEnvironment,
  { options, what, next }: { readonly options: ExecuteOptions; readonly what: string; readonly next: string },
  work: (signal: AbortSignal, renew: Renew) => Promise<T>,
): Promise<T> {
  const outcome = await runLimited(work, { signal: options.signal, timeoutMs: timeoutOf(environment, options) });
  if (outcome.kind === 'done') return outcome.value;
  if (outcome.kind === 'failed') throw outcome.error;
  if (outcome.kind === 'aborted') throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
  throw new ToolError('timeout', `${what} took too long`, next);
}

/** The arguments as the tool gets them, and the traits of the call. Rejects with ToolError. */
export function prepareCall(environment: CallEnvironment, tool: Tool, raw: unknown, options: ExecuteOptions): Promise<Call> {
  const limit = { options, what: 'preparing the call', next: 'try again' };
  return inTime(environment, limit, (signal) => prepare(environment, tool, raw, options, signal));
}

/** `signal`: of the preparation alone. */
async function prepare(
  environment: CallEnvironment,
  tool: Tool,
  raw: unknown,
  options: ExecuteOptions,
  signal: AbortSignal,
): Promise<Call> {
  const { name, parameters } = tool.definition.function;
  const rawArgs = parseArguments(raw);
  const emit = (event: ToolChainEventBody): void => notify(() => options.onEvent?.(event));
  const { callId, nodeId, confirmed, mayGoUnasked } = options;
  const context = { callId, nodeId, signal: options.signal, confirmed, mayGoUnasked, emit };
  const { args, sources } = await resolveArguments(environment, tool, rawArgs, signal);
  const { validateArguments } = await loadValidation();
  validateArguments(name, args, parameters);
  const traits = environment.traitsOf(tool, args);
  const outgoing = traits.effect === 'outgoing' ? await tool.outgoing?.(args, signal) : undefined;
  const program = await tool.program?.(args, signal);
  const requireReadable = (variable: Variable): Promise<void> => environment.variableRights.require([variable], options.signal);
  return { tool, name, rawArgs, args, sources, traits, outgoing, program, options, context, requireReadable };
}

/** Parses everything before resolving references: a variable's value must not change the shape. Validation sees the real values. */
async function resolveArguments(
  environment: CallEnvironment,
  tool: Tool,
  rawArgs: ToolArguments,
  signal: AbortSignal,
): Promise<{ readonly args: ToolArguments; readonly sources: readonly NoteSource[] }> {
  const { parameters } = tool.definition.function;
  const shaped = shapeArguments(rawArgs, parameters);
  if (tool.literalArguments === true || !hasReferences(shaped)) return { args: shaped, sources: [] };
  const { value, used } = resolveReferences(shaped, environment.variables, parameters);
  await environment.variableRights.require(used, signal);
  return { args: coerceScalars(parseArguments(value), parameters), sources: mergeSources(...used.map(sourcesOf)) };
}

export function contextOf(call: Call, signal: AbortSignal, renew: () => void, approvedPlan?: ApprovedPlan): ToolContext {
  const { callId, sessionId, nodeId, byPerson } = call.options;
  const report: ToolContext['report'] = (message, count) => {
    if (count) renew();
    call.context.emit({ type: 'tool-progress', callId, message, ...count });
  };
  return {
    callId,
    sessionId,
    nodeId,
    byPerson,
    signal,
    report,
    argumentSources: call.sources,
    requireReadable: call.requireReadable,
    outgoing: call.outgoing,
    program: call.program,
    approvedPlan,
  };
}

export function timeoutOf(environment: CallEnvironment, options: Pick<ExecuteOptions, 'timeoutMs'>): number {
  return options.timeoutMs ?? environment.behavior().timeout;
}

/** If no plan can be made, the call ends before anybody is asked. */
export async function planCall(environment: CallEnvironment, call: Call): Promise<ChangePlan | undefined> {
  const { plan } = call.tool;
  if (plan === undefined || call.traits.effect !== 'write') return undefined;
  const limit = { options: call.options, what: 'reading the current text', next: 'try again, or change less at once' };
  const made = await inTime(environment, limit, (signal, renew) => plan(call.args, contextOf(call, signal, renew)));
  if (made.operations.length === 0) {
    throw new ToolError('no_change', 'everything is already as requested', 'go on; there is nothing to write');
  }
  return made;
}

/** Reported if it differs from what the model wrote: the record of the call contains what the tool got. */
export function reportArguments({ args, rawArgs, options: { callId }, context }: Call): void {
  // A failed record must not cost the call.
  notify(() => {
    if (canonicalJson(args) !== canonicalJson(rawArgs)) context.emit({ type: 'tool-arguments', callId, arguments: cutArguments(args) });
  });
}
