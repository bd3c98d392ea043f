import { coerceArguments, parseArguments, validateArguments } from './arguments.ts';
import { type ApprovalEnvironment, type ApprovalSurroundings, askExecution, askResult } from './call-approval.ts';
import { ToolError } from './errors.ts';
import type { ToolChainEventBody } from './events.ts';
import { preview } from './graphemes.ts';
import { unescapeStructure } from './markers.ts';
import { type ApprovedPlan, approvePlan, type ChangePlan } from './plans.ts';
import { hasReferences, resolveReferences } from './references.ts';
import { presentResult, type ResultText, referenceNotice } from './result-text.ts';
import { abortedResult, executionRejected, resultRejected, thrownResult, timeoutResult, unknownResult } from './results.ts';
import { runLimited } from './run-limited.ts';
import type { CallTraits, Tool, ToolArguments, ToolContext, ToolExecuteResult } from './types.ts';
import type { VariableSystem, VariableType } from './variables.ts';

/** Whether all of these notebooks may be read now; asked for every value that came from notes. */
export type NotebookAccess = (notebooks: readonly string[], signal: AbortSignal) => Promise<boolean>;

export interface ExecuteOptions {
  readonly callId: string;
  readonly sessionId: string;
  readonly nodeId: string;
  readonly signal: AbortSignal;
  readonly skipResultApproval?: boolean;
  /** Milliseconds for the tool itself; time that a person takes to approve does not count. */
  readonly timeoutMs?: number;
  /** tool-progress, approval-request/-end and write; start and end are the caller's. */
  readonly onEvent?: (event: ToolChainEventBody) => void;
}

export interface CallEnvironment extends ApprovalEnvironment {
  readonly variables: VariableSystem;
  readonly mayReadNotebooks: NotebookAccess;
  readonly traitsOf: (tool: Tool, args: ToolArguments) => CallTraits;
  readonly requireEnabled: (name: string) => void;
  readonly cachesResults: (name: string) => boolean;
  readonly noteNotesRead: () => void;
  readonly timeoutMs: number;
  readonly graceMs: number;
}

interface Call {
  readonly tool: Tool;
  readonly name: string;
  /** As the model sent them, references unresolved: what is cached. */
  readonly rawArgs: ToolArguments;
  readonly args: ToolArguments;
  /** Notebooks of the variables that went into the arguments. */
  readonly notebooks: readonly string[];
  readonly traits: CallTraits;
  readonly options: ExecuteOptions;
  readonly surroundings: ApprovalSurroundings;
}

/** One call through every gate, in the order of ARCHITECTURE.md step 4. Throws ToolError for what ends it early. */
export async function executeCall(
  environment: CallEnvironment,
  tool: Tool,
  raw: unknown,
  options: ExecuteOptions,
): Promise<ToolExecuteResult> {
  const call = await prepareCall(environment, tool, raw, options);
  const plan = await planCall(environment, call);
  const consent = await askExecution(environment, { tool, args: call.args, plan, traits: call.traits }, call.surroundings);
  if (!consent.approved) return executionRejected(consent.reason);
  // While the approval was open the user may have switched the tool off.
  environment.requireEnabled(call.name);
  const approvedPlan = plan === undefined ? undefined : approvePlan(plan, consent.acceptedOperations);
  if (approvedPlan?.accepted.size === 0) return executionRejected('every change was left out');
  const result = await runTool(environment, call, approvedPlan);
  if (result.written !== undefined) {
    const { blockIds, undoable } = result.written;
    call.surroundings.emit({ type: 'write', callId: options.callId, blockIds, undoable });
  }
  if (result.status === 'success') return finishSuccess(environment, call, result);
  return (await isResultRejected(environment, call, result, result.finalText ?? '')) ?? result;
}

async function prepareCall(environment: CallEnvironment, tool: Tool, raw: unknown, options: ExecuteOptions): Promise<Call> {
  const { name, parameters } = tool.definition.function;
  const rawArgs = parseArguments(raw);
  const emit = options.onEvent ?? (() => undefined);
  const surroundings = { callId: options.callId, signal: options.signal, emit };
  const { args, notebooks } = await resolveArguments(environment, tool, rawArgs, options.signal);
  const coerced = coerceArguments(args, parameters);
  validateArguments(name, coerced, parameters);
  return { tool, name, rawArgs, args: coerced, notebooks, traits: environment.traitsOf(tool, coerced), options, surroundings };
}

/** References are resolved before the validation, which then sees the real values, as the user will. */
async function resolveArguments(
  environment: CallEnvironment,
  tool: Tool,
  rawArgs: ToolArguments,
  signal: AbortSignal,
): Promise<{ readonly args: ToolArguments; readonly notebooks: readonly string[] }> {
  if (tool.literalArguments === true || !hasReferences(rawArgs)) return { args: parseArguments(mapText(rawArgs)), notebooks: [] };
  const own = mapText(rawArgs);
  const { value, used } = resolveReferences(own, environment.variables, tool.definition.function.parameters);
  const notebooks = [...new Set(used.flatMap((variable) => variable.notebooks ?? []))];
  if (notebooks.length > 0 && !(await environment.mayReadNotebooks(notebooks, signal))) {
    throw new ToolError('no_right', 'the variable comes from a notebook that may no longer be read', 'go on without it or ask the user');
  }
  return { args: parseArguments(value), notebooks };
}

/** Text that the model copied from an escaped result arrives as it stood in the note. */
function mapText(value: unknown): unknown {
  if (typeof value === 'string') return unescapeStructure(value);
  if (Array.isArray(value)) return value.map(mapText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapText(item)]));
}

function contextOf(call: Call, signal: AbortSignal, approvedPlan?: ApprovedPlan): ToolContext {
  const { callId, sessionId, nodeId } = call.options;
  const report = (message: string): void => call.surroundings.emit({ type: 'tool-progress', callId, message });
  return {
    callId,
    sessionId,
    nodeId,
    signal,
    report,
    argumentNotebooks: call.notebooks,
    ...(approvedPlan === undefined ? {} : { approvedPlan }),
  };
}

/** A plan that cannot be made ends the call before anybody is asked. */
async function planCall(environment: CallEnvironment, call: Call): Promise<ChangePlan | undefined> {
  const { plan } = call.tool;
  if (plan === undefined || call.traits.effect !== 'write') return undefined;
  const limits = { signal: call.options.signal, timeoutMs: call.options.timeoutMs ?? environment.timeoutMs };
  const outcome = await runLimited((signal) => plan(call.args, contextOf(call, signal)), limits);
  if (outcome.kind === 'failed') throw outcome.error;
  if (outcome.kind === 'aborted') throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
  if (outcome.kind === 'timeout')
    throw new ToolError('timeout', 'reading what stands now took too long', 'try again, or change less at once');
  if (outcome.value.operations.length === 0) {
    throw new ToolError('no_change', 'the text stands already as asked', 'go on; there is nothing to write');
  }
  return outcome.value;
}

async function runTool(environment: CallEnvironment, call: Call, approvedPlan: ApprovedPlan | undefined): Promise<ToolExecuteResult> {
  const writes = call.traits.effect === 'write';
  const timeoutMs = call.options.timeoutMs ?? environment.timeoutMs;
  const time = call.tool.waitsForUser === true ? {} : { timeoutMs };
  const limits = { signal: call.options.signal, ...time, graceMs: writes ? environment.graceMs : 0 };
  if (limits.signal.aborted) return abortedResult();
  const outcome = await runLimited((signal) => call.tool.execute(call.args, contextOf(call, signal, approvedPlan)), limits);
  if (outcome.kind === 'failed') return thrownResult(outcome.error, call.traits.effect);
  if (outcome.kind === 'aborted') return writes ? unknownResult('the write was stopped') : abortedResult();
  if (outcome.kind === 'timeout') return writes ? unknownResult('the write took too long') : timeoutResult(timeoutMs);
  const result = outcome.value;
  if (result.status === 'success') return result;
  return { ...result, finalText: result.finalText ?? result.error ?? result.status };
}

/** Format → truncate → result approval → cache: a rejected result is stored nowhere that the model can read. */
async function finishSuccess(environment: CallEnvironment, call: Call, result: ToolExecuteResult): Promise<ToolExecuteResult> {
  const text = presentResult(call.tool, result, call.args);
  const rejected = await isResultRejected(environment, call, result, text.body);
  if (rejected !== undefined) return rejected;
  const notebooks = [...new Set([...(result.notebooks ?? []), ...call.notebooks])];
  if (notebooks.length > 0) environment.noteNotesRead();
  const cached = environment.cachesResults(call.name) ? cacheCall(environment, call, text, notebooks) : {};
  const notice = environment.cachesResults(call.name) ? referenceNotice(cached.cacheVarResult, text) : '';
  return {
    ...result,
    ...(notebooks.length === 0 ? {} : { notebooks }),
    formattedText: text.formattedText,
    finalText: text.body + notice,
    isTruncated: text.isTruncated,
    ...cached,
  };
}

async function isResultRejected(
  environment: CallEnvironment,
  call: Call,
  result: ToolExecuteResult,
  resultText: string,
): Promise<ToolExecuteResult | undefined> {
  const policy = call.traits.permission.resultApprovalPolicy;
  const asks = policy === 'always' || (policy === 'on-error' && result.status === 'error');
  if (!asks || call.options.skipResultApproval === true || result.status === 'aborted') return undefined;
  const decision = await askAfterRun(environment, call, resultText);
  if (decision === 'aborted') return { ...resultRejected(result, 'the chat was stopped'), status: 'aborted' };
  return decision.approved ? undefined : resultRejected(result, decision.reason);
}

/** What ran has run: an abort of this approval must not lose what was written. */
async function askAfterRun(environment: CallEnvironment, call: Call, resultText: string) {
  try {
    return await askResult(environment, { tool: call.tool, args: call.args, resultText }, call.surroundings);
  } catch (error) {
    if (error instanceof ToolError && error.code === 'aborted') return 'aborted';
    return { approved: false, reason: 'the result could not be shown for approval' } as const;
  }
}

interface CachedNames {
  readonly cacheVarResult?: string;
  readonly cacheVarArgs?: string;
}

function cacheCall(environment: CallEnvironment, call: Call, text: ResultText, notebooks: readonly string[]): CachedNames {
  const base = `${call.name}_${call.options.callId}`;
  const argsText = JSON.stringify(call.rawArgs);
  const summary = call.tool.compressArgs?.(call.args) ?? argsText;
  const desc = preview(`${call.name} ${summary}`, 120);
  const store = (suffix: string, value: string, type: VariableType): string | undefined => {
    const name = environment.variables.freeName(`${base}_${suffix}`);
    try {
      return environment.variables.addVariable(name, value, type, { desc, notebooks }).name;
    } catch (error) {
      // No room: the model is told by the notice that the whole is not kept.
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  };
  const cacheVarArgs = argsText === '{}' ? undefined : store('args', argsText, 'ToolCallArgs');
  const cacheVarResult = call.tool.SKIP_CACHE_RESULT === true ? undefined : store('result', text.formattedText, 'ToolCallResult');
  return {
    ...(cacheVarResult === undefined ? {} : { cacheVarResult }),
    ...(cacheVarArgs === undefined ? {} : { cacheVarArgs }),
  };
}
