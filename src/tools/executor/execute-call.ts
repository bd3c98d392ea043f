import { contentOf } from '../connections/server-form.ts';
import { describeThrown, isToolError, ToolError } from '../contract/errors.ts';
import { type ApprovedPlan, approvePlan, type ChangePlan, type PlanNotice } from '../contract/plans.ts';
import { isPrivateResult, readsPrivate } from '../contract/private-text.ts';
import { mergeSources, type NoteSource, notebooksOf, type Obstacles, obstaclesBefore, traceRead } from '../contract/provenance.ts';
import type {
  ApprovalDecision,
  AskForm,
  FormAnswer,
  ReviseCall,
  ServerForm,
  Tool,
  ToolArguments,
  ToolExecuteResult,
} from '../contract/types.ts';
import { linkSignals } from '../util/abort.ts';
import { preview } from '../util/graphemes.ts';
import { escapeMarkers } from '../util/markers.ts';
import { type LimitedOutcome, type Renew, runLimited } from '../util/run-limited.ts';
import { askExecution, askResult, requestApproval, shownPlan } from './call-approval.ts';
import { argumentsPreview } from './call-preview.ts';
import {
  type BatchSlot,
  type Call,
  type CallEnvironment,
  contextOf,
  type ExecuteOptions,
  planCall,
  prepareCall,
  reportArguments,
  timeoutOf,
} from './prepare-call.ts';
import { readResult } from './read-result.ts';
import { asLiteral } from './references.ts';
import { keep, keepFailure, MAX_ERROR_MESSAGE, presentFailure, presentResult, type ResultText, referenceNotice } from './result-text.ts';
import { abortedResult, executionRejected, resultRejected, revisionNotice, thrownResult, timeoutResult, unknownResult } from './results.ts';
import { wantsWhole } from './shape-arguments.ts';
import { idsInText } from './variable-rights.ts';

export type { CallEnvironment, ExecuteOptions } from './prepare-call.ts';

/** One call through every gate, in the order of docs/architecture.md, "Two checks". `onPrepared` gets the arguments, each time. */
export async function executeCall(
  environment: CallEnvironment,
  tool: Tool,
  raw: unknown,
  options: ExecuteOptions,
  onPrepared: (call: Call) => void,
): Promise<ToolExecuteResult> {
  let revised: Revised | undefined;
  const planWith = (by: Revised | undefined): Promise<Planned> => planNow(environment, tool, { raw, revised: by }, options, onPrepared);
  const plan = (): Promise<Planned> => planWith(revised);
  const ask = (planned: Planned) => {
    let shown = planned;
    const revise: ReviseCall = async (args) => {
      const by = { args, sources: planned.call.sources, given: revised?.given ?? planned.call.args };
      const next = await planWith(by);
      const use = (): void => {
        revised = by;
        shown = next;
        if (tool.recordsRevised === true) reportArguments({ ...next.call, rawArgs: planned.call.args });
      };
      return { args: next.call.args, plan: shownPlan(next), use };
    };
    return askPlanned(environment, () => shown, planned.plan === undefined ? undefined : revise);
  };
  const asked = await ask(await planInPlace(plan, options.place));
  if ('rejected' in asked) return asked.rejected;
  const { earlierWrote, refusal } = (await options.place?.whenEarlierSettled()) ?? NOTHING_EARLIER;
  if (refusal !== undefined) throw refusal;
  const run = await runTool(environment, asked);
  if (!run.stale || !earlierWrote) return withRevision(asked, await finishCall(environment, asked.call, run.result));
  // The approved plan is outdated, since an earlier call of the batch changed the note: plan and ask again.
  const again = await ask(await plan());
  if ('rejected' in again) return again.rejected;
  return withRevision(again, await finishCall(environment, again.call, (await runTool(environment, again)).result));
}

/** Tells the model that other text than its own was written. */
function withRevision({ revision, call }: Pick<Approved, 'revision' | 'call'>, result: ToolExecuteResult): ToolExecuteResult {
  if (revision === undefined || result.written === undefined) return result;
  return { ...result, finalText: `${result.finalText ?? result.status}\n${revisionNotice(revision.given, call.args)}` };
}

const NOTHING_EARLIER = { earlierWrote: false, refusal: undefined };

interface Planned {
  readonly call: Call;
  readonly plan: ChangePlan | undefined;
  readonly remarks: readonly PlanNotice[];
  readonly revision: Revised | undefined;
}

interface Revised {
  readonly args: ToolArguments;
  readonly given: ToolArguments;
  readonly sources: readonly NoteSource[];
}

async function planNow(
  environment: CallEnvironment,
  tool: Tool,
  { raw, revised }: { readonly raw: unknown; readonly revised: Revised | undefined },
  options: ExecuteOptions,
  onPrepared: (call: Call) => void,
): Promise<Planned> {
  const literal = (args: ToolArguments): unknown => (tool.literalArguments === true ? args : asLiteral(args));
  const prepared = await prepareCall(environment, tool, revised === undefined ? raw : literal(revised.args), options);
  const call = revised === undefined ? prepared : { ...prepared, sources: mergeSources(revised.sources, prepared.sources) };
  onPrepared(call);
  requireLocal(environment, call);
  try {
    const made = await planCall(environment, call);
    return { call, plan: made, remarks: await remarksOn(environment, call, made), revision: revised };
  } catch (error) {
    // It was made from the person's text, and the reason of its failure may quote that.
    notePrivate(environment, call, {});
    throw error;
  }
}

/** Nobody holds back what a person does. */
async function remarksOn(environment: CallEnvironment, call: Call, plan: ChangePlan | undefined): Promise<readonly PlanNotice[]> {
  const { name: tool, program, options } = call;
  if (options.byPerson === true || (plan === undefined && program === undefined)) return [];
  return environment.gate({ tool, plan, program, nodeId: options.nodeId });
}

function notePrivate(environment: CallEnvironment, { tool }: Pick<Call, 'tool'>, result: Partial<ToolExecuteResult>): void {
  if (isPrivateResult(result) || (readsPrivate(tool) && result.isPrivate !== false)) environment.noteNotesRead();
}

/** In a batch a call may need what an earlier one creates: then it is planned after it. */
async function planInPlace(plan: () => Promise<Planned>, place: BatchSlot | undefined): Promise<Planned> {
  try {
    return await plan();
  } catch (error) {
    if (place === undefined || !(error instanceof ToolError) || error.code === 'aborted') throw error;
    if (!(await place.whenEarlierSettled()).earlierWrote) throw error;
    return plan();
  }
}

interface Approved {
  readonly call: Call;
  readonly approvedPlan: ApprovedPlan | undefined;
  readonly revision: Revised | undefined;
  readonly unasked: string | undefined;
}

/** `shown`: the current request; a person may revise it meanwhile. */
async function askPlanned(
  environment: CallEnvironment,
  shown: () => Planned,
  revise: ReviseCall | undefined,
): Promise<Approved | { readonly rejected: ToolExecuteResult }> {
  const first = shown();
  const { tool, args, traits, outgoing, program } = first.call;
  const asking = { tool, args, plan: first.plan, remarks: first.remarks, traits, outgoing, program };
  const consent = await askExecution(environment, asking, first.call.context, revise);
  if (!consent.approved) return { rejected: executionRejected(consent.reason) };
  const { call, plan, revision } = shown();
  const approvedPlan = plan === undefined ? undefined : approvePlan(plan, consent.acceptedOperations, consent.beyondRight);
  if (approvedPlan?.accepted.size === 0) return { rejected: executionRejected('every change was left out') };
  return { call, approvedPlan, revision, unasked: consent.unasked };
}

/** Before anybody is asked, and again before it runs: the user may have changed the switch. */
function requireLocal(environment: CallEnvironment, call: Call): void {
  if (call.traits.effect !== 'outgoing' || !environment.localOnly()) return;
  throw new ToolError(
    'local_only',
    `"local only" is on, and ${call.name} sends data away from this machine, or may do so`,
    'go on without it, or ask the user to switch "local only" off',
  );
}

/** Reports and saves the result of a call that ran. The outcome is settled: an error here must not turn it into a failure. */
async function finishCall(environment: CallEnvironment, call: Call, result: ToolExecuteResult): Promise<ToolExecuteResult> {
  if (result.written !== undefined) call.context.emit({ type: 'write', callId: call.options.callId, ...result.written });
  try {
    return await (result.status === 'success' ? finishSuccess(environment, call, result) : finishFailure(environment, call, result));
  } catch (error) {
    // The result may not be shown, but everything that was done counts.
    const why = preview(describeThrown(error).replaceAll(/\s+/gu, ' '), 200);
    const finalText = escapeMarkers(`${result.status}; its result could not be kept or shown (${why})`);
    return {
      status: result.status,
      ...(result.error === undefined ? {} : { error: { ...result.error, message: preview(result.error.message, MAX_ERROR_MESSAGE) } }),
      ...(result.written === undefined ? {} : { written: result.written }),
      finalText,
    };
  }
}

async function finishFailure(environment: CallEnvironment, call: Call, result: ToolExecuteResult): Promise<ToolExecuteResult> {
  const { error } = result;
  const shown = error === undefined ? (result.finalText ?? result.status) : presentFailure(error).body;
  const rejected = await isResultRejected(environment, call, result, shown);
  if (rejected !== undefined) return rejected;
  notePrivate(environment, call, result);
  return keepFailure(environment.variables, { name: call.name, ...call.options }, result);
}

interface Run {
  readonly result: ToolExecuteResult;
  /** Nothing was written: the text that the plan was made from has changed. */
  readonly stale: boolean;
}

const CANCELED = { action: 'cancel' } as const;

/** The decided values that can be sent to the server. */
function answerOf(form: ServerForm, decision: ApprovalDecision): FormAnswer {
  if (!decision.approved) return decision.closed ? CANCELED : { action: 'decline' };
  if (form.address !== undefined) return { action: 'accept' };
  const content = decision.answers && contentOf(form, decision.answers);
  return content ? { action: 'accept', content } : CANCELED;
}

/** Asks by a server's form while its call runs and its time rests; sends nothing without a decision, nor once stopped or switched off. */
function formAsker(environment: CallEnvironment, call: Call, signal: AbortSignal, renew: Renew): AskForm {
  let open = 0;
  return async (form, withdrawn) => {
    const link = linkSignals([signal, withdrawn]);
    open += 1;
    renew('pause');
    try {
      const asked = { kind: 'form', tool: call.name, args: call.args, form } as const;
      const decision = await requestApproval(environment, { ...call.context, signal: link.signal }, asked);
      environment.requireEnabled(call.name, call.options);
      return environment.localOnly() ? CANCELED : answerOf(form, decision);
    } catch {
      return CANCELED;
    } finally {
      open -= 1;
      if (open === 0) renew();
      link.release();
    }
  };
}

async function runTool(environment: CallEnvironment, { call, approvedPlan, unasked }: Approved): Promise<Run> {
  // While the approval was open the user may have switched the tool off.
  environment.requireEnabled(call.name, call.options);
  requireLocal(environment, call);
  if (call.options.signal.aborted) return { result: abortedResult(), stale: false };
  environment.noteRun(call.name);
  const time =
    call.tool.waitsForUser === true || call.tool.limitsItself === true ? {} : { timeoutMs: timeoutOf(environment, call.options) };
  const writes = call.traits.effect === 'write';
  let before: Obstacles = new Set();
  const run = async (signal: AbortSignal, renew: Renew): Promise<ToolExecuteResult> => {
    before = await obstaclesBefore(environment.rights, signal);
    // After an abort nobody waits for it any more.
    if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
    const askForm = environment.answersForms ? { askForm: formAsker(environment, call, signal, renew) } : {};
    return call.tool.execute(call.args, { ...contextOf(call, signal, renew, approvedPlan), ...askForm });
  };
  const outcome = await runLimited(run, { signal: call.options.signal, graceMs: writes ? environment.graceMs : 0, ...time });
  const stale = outcome.kind === 'failed' && writes && isToolError(outcome.error) && outcome.error.code === 'stale';
  const result = resultOfRun(environment, call, outcome);
  const marked = unasked && result.written ? { ...result, written: { ...result.written, unasked } } : result;
  return { result: await withSources(environment, call, marked, before), stale };
}

/** A tool's input may be anything; it must not cost the result. */
function idsInValue(value: unknown): readonly string[] {
  try {
    return idsInText(JSON.stringify(value));
  } catch {
    return [];
  }
}

/** Its sources: the ids in it and in its arguments, and the variables in them. An error may quote notes as well. */
async function withSources(
  environment: CallEnvironment,
  call: Call,
  result: ToolExecuteResult,
  before: Obstacles,
): Promise<ToolExecuteResult> {
  const { notebooks = [], blockIds = [], written, error } = result;
  const errorText = error === undefined ? '' : `${error.message} ${error.next}`;
  const readNothing = errorText === '' && notebooks.length === 0 && blockIds.length === 0 && written === undefined;
  const named = readNothing ? [] : idsInValue(call.args);
  const own = written === undefined ? [] : [written.documentId, ...written.blockIds].filter((id) => id !== '');
  // Ids would narrow a notebook down to their documents.
  const ids = result.mixed === true ? [] : [...new Set([...blockIds, ...own, ...named, ...idsInText(errorText)])];
  const fromIndex = result.fromIndex === true && written === undefined;
  const read = await traceRead(environment.rights, { notebooks, ids, fromIndex }, before, call.options.signal);
  const sources = mergeSources(result.sources, read, call.sources);
  return sources.length === 0 ? result : { ...result, sources };
}

function resultOfRun(environment: CallEnvironment, call: Call, outcome: LimitedOutcome<ToolExecuteResult>): ToolExecuteResult {
  const writes = call.traits.effect === 'write';
  if (outcome.kind === 'failed') return thrownResult(outcome.error, call.traits.effect);
  if (outcome.kind === 'aborted')
    return writes ? unknownResult('the write was stopped') : abortedResult(call.traits.effect !== 'read' || call.program !== undefined);
  if (outcome.kind === 'timeout')
    return writes ? unknownResult('the write took too long') : timeoutResult(timeoutOf(environment, call.options));
  return readResult(outcome.value, call.traits.effect);
}

/** Format → truncate → result approval → cache: a rejected result is stored nowhere that the model can read. */
async function finishSuccess(environment: CallEnvironment, call: Call, result: ToolExecuteResult): Promise<ToolExecuteResult> {
  const text = presentResult(call.tool, result, call.args, { whole: wantsWhole(call.rawArgs), tokens: environment.resultTokens?.() });
  const rejected = await isResultRejected(environment, call, result, text.body);
  if (rejected !== undefined) return rejected;
  const notebooks = [...new Set([...(result.notebooks ?? []), ...notebooksOf(result.sources ?? [])])];
  notePrivate(environment, call, result);
  const cached = environment.cachesResults(call.name) ? cacheCall(environment, call, text, { ...result, notebooks }) : {};
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
  const asks = policy === 'always' || (policy === 'on-error' && result.status !== 'success');
  if (!asks || call.options.skipResultApproval === true || result.status === 'aborted') return undefined;
  const decision = await askAfterRun(environment, call, resultText);
  if (decision === 'aborted') return { ...resultRejected(result, 'the chat was stopped'), status: 'aborted' };
  return decision.approved ? undefined : resultRejected(result, decision.reason);
}

/** The call has run: an abort of this approval must not lose what was written. */
async function askAfterRun(environment: CallEnvironment, call: Call, resultText: string) {
  try {
    return await askResult(environment, { tool: call.tool, args: call.args, resultText }, call.context);
  } catch (error) {
    if (error instanceof ToolError && error.code === 'aborted') return 'aborted';
    return { approved: false, reason: 'the result could not be shown for approval' } as const;
  }
}

function cacheCall(
  environment: CallEnvironment,
  call: Call,
  text: ResultText,
  { notebooks = [], sources = [], repeats, isPrivate }: ToolExecuteResult,
): { readonly cacheVarResult?: string; readonly cacheVarArgs?: string } {
  const base = `${call.name}_${call.options.callId}`;
  const argsText = JSON.stringify(call.rawArgs);
  const kept = {
    desc: preview(`${call.name} ${argumentsPreview(call.args, call.tool)}`, 120),
    notebooks,
    sources,
    ...(isPrivate ? { isPrivate } : {}),
  };
  // A read's result is text of the notes; everything else may repeat what the model had seen.
  const written = { ...kept, node: call.options.nodeId };
  const extras = call.traits.effect !== 'read' || sources.length === 0 || repeats === true ? written : kept;
  const { variables } = environment;
  const cacheVarArgs = argsText === '{}' ? undefined : keep(variables, `${base}_args`, argsText, 'ToolCallArgs', written);
  const cacheVarResult =
    call.tool.SKIP_CACHE_RESULT === true ? undefined : keep(variables, `${base}_result`, text.formattedText, 'ToolCallResult', extras);
  return {
    ...(cacheVarResult === undefined ? {} : { cacheVarResult }),
    ...(cacheVarArgs === undefined ? {} : { cacheVarArgs }),
  };
}
