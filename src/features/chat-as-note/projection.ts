import * as v from 'valibot';
import type { DecodedMessage, ProjectedMessage, ProjectedVariable } from '../../chat/ports/chat-document.ts';
import { dropUnknownCitations } from '../../chat/session/citations.ts';
import { attachmentsFormat, callRecordFormat, contextsFormat, payloadFormat } from '../../chat/session/saved-format.ts';
import { quoted, summaryOf } from '../../chat/session/summary.ts';
import type { Node, Payload, SavedVariable, Session, ToolCallRecord } from '../../chat/session/types.ts';
import { hintLengthOf, joinTexts } from '../../chat/session/visible-text.ts';
import { MessageFlowFormatter } from '../../tools/chain/message-flow.ts';
import { isSourceList } from '../../tools/contract/provenance.ts';
import { argumentsPreview } from '../../tools/executor/call-preview.ts';
import { isRecord } from '../../tools/util/plain-value.ts';

/** One call in `custom-marginalia-chain`: readable fields first, then what restores the exact record. */
interface ChainEntry {
  readonly callId: string;
  readonly tool: string;
  readonly args: ToolCallRecord['args'];
  readonly status: string;
  readonly ms: number;
  readonly argsVar?: string;
  readonly resultVar?: string;
  readonly error?: unknown;
  readonly start: number;
  readonly round: number;
  readonly more: Readonly<Record<string, unknown>>;
}

const entryFormat: v.GenericSchema<unknown, ChainEntry> = v.object({
  callId: v.string(),
  tool: v.string(),
  // v.record would drop keys such as `prototype`: what a model sent must be restored unchanged.
  args: v.custom<ToolCallRecord['args']>(isRecord),
  status: v.string(),
  ms: v.number(),
  argsVar: v.optional(v.string()),
  resultVar: v.optional(v.string()),
  error: v.optional(v.unknown()),
  start: v.number(),
  round: v.number(),
  more: v.record(v.string(), v.unknown()),
});

function toEntry(record: ToolCallRecord, notebook: string): ChainEntry {
  // A sub-agent's work is not written into a note: it may have read others.
  const { callId, toolName, args, result, startTime, endTime, roundIndex, subAgent: _thread, ...rest } = record;
  const { status, cacheVarArgs, cacheVarResult, error, found, ...others } = result;
  // Like variables: text from another notebook stays out of this document.
  const isOwn = result.notebooks?.every((id) => id === notebook) ?? false;
  const kept = { ...others, found: isOwn ? found : undefined };
  return {
    callId,
    tool: toolName,
    args,
    status,
    ms: endTime - startTime,
    argsVar: cacheVarArgs,
    resultVar: cacheVarResult,
    error,
    start: startTime,
    round: roundIndex,
    more: { ...rest, result: kept },
  };
}

function fromEntry(value: unknown): readonly ToolCallRecord[] {
  const read = v.safeParse(entryFormat, value);
  if (!read.success) return [];
  const { callId, tool, args, status, ms, argsVar, resultVar, error, start, round, more } = read.output;
  const { result, ...rest } = more;
  const names = {
    cacheVarArgs: argsVar,
    cacheVarResult: resultVar,
    error,
  };
  const kept = typeof result === 'object' && result !== null ? result : {};
  const record = v.safeParse(callRecordFormat, {
    ...rest,
    callId,
    toolName: tool,
    args,
    startTime: start,
    endTime: start + ms,
    roundIndex: round,
    result: { preview: '', ...kept, status, ...names },
  });
  return record.success ? [record.output] : [];
}

/** The readable text of a message: without hint and logs; citations are references, unknown ones plain words. */
export function noteText(node: Node, payload: Payload): string {
  if (summaryOf(node)) return quoted(dropUnknownCitations(payload.message.content, new Set(payload.citations ?? [])));
  if (node.role !== 'assistant') return payload.message.content;
  const rounds = payload.toolChainResult?.rounds.map((round) => round.text);
  return dropUnknownCitations(rounds ? joinTexts(rounds) : payload.message.content, new Set(payload.citations ?? []));
}

function variablesOf(payload: Payload, variables: ReadonlyMap<string, SavedVariable>, notebook: string): readonly ProjectedVariable[] {
  const names = payload.toolChainResult?.toolCallHistory.flatMap(({ result }) => [result.cacheVarArgs, result.cacheVarResult]) ?? [];
  return names.flatMap((name) => {
    const variable = name === undefined ? undefined : variables.get(name);
    if (!variable) return [];
    const { type, value, desc, created, sources, node } = variable;
    // The name alone of a value from another notebook: not every reader of this document may read that one.
    const foreign = variable.notebooks?.some((id) => id !== notebook) ?? false;
    return [
      {
        name: variable.name,
        type,
        created,
        desc: desc === undefined || foreign ? undefined : desc,
        ...(foreign ? {} : { value, sources, node: node || undefined }),
      },
    ];
  });
}

/** The shown branch, as a document stores it. `notebook`: the document's. */
export function projectThread(thread: readonly Node[], variables: readonly SavedVariable[], notebook: string): readonly ProjectedMessage[] {
  const byName = new Map(variables.map((variable) => [variable.name, variable]));
  return thread.flatMap((node): readonly ProjectedMessage[] => {
    const payload = node.versions[node.currentVersionId];
    if (!payload) return [];
    const { content } = payload.message;
    const { toolCallHistory = [], ...chain } = payload.toolChainResult ?? {};
    const vars = variablesOf(payload, byName, notebook);
    const said = { ...payload, message: { ...payload.message, content: content.slice(hintLengthOf(payload)) } };
    return [
      {
        nodeId: node.id,
        parentId: node.parent,
        role: node.role,
        markdown: noteText(node, payload),
        time: payload.created,
        label: summaryOf(node) ? 'summary' : undefined,
        chain: toolCallHistory.length > 0 ? toolCallHistory.map((record) => toEntry(record, notebook)) : undefined,
        vars: vars.length > 0 ? vars : undefined,
        message: {
          ...{ ...said, ...(payload.toolChainResult ? { toolChainResult: chain } : {}) },
          context: node.context,
          attachments: node.attachments,
          sources: node.sources,
          covers: node.covers,
          uncovered: node.uncovered,
        },
      },
    ];
  });
}

/** The payload from the document's own text, if its attributes cannot be read. */
function fallbackPayload(message: DecodedMessage, markdown: string): Payload {
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  // A separator with text would be a summary.
  const content = message.role === 'separator' ? '' : markdown;
  return { id: `${message.nodeId}-v`, message: { role, content }, author: 'document', created: 0, status: 'done' };
}

/** Answers without what nobody sees: somebody else may have written the note, and the model reads only shown rounds and calls. */
function sentAsShown({ toolChainMessages: _messages, userPromptSlice: _slice, ...payload }: Payload): Payload {
  if (!payload.toolChainResult) return payload;
  const { rounds, toolCallHistory: records } = payload.toolChainResult;
  const entries = records.map((record) => ({ ...record, preview: record.result.preview, argsPreview: argumentsPreview(record.args) }));
  const hint = MessageFlowFormatter.generateSystemHint(records);
  const content =
    hint +
    MessageFlowFormatter.convertMessagesToNaturalFlow(
      rounds.map(({ text, callIds }) => ({
        role: 'assistant',
        content: text,
        tool_calls: callIds.map((id) => ({ id, type: 'function', function: { name: '', arguments: '' } })),
      })),
      entries,
    );
  return {
    ...payload,
    message: { ...payload.message, content },
    ...(hint === '' ? {} : { userPromptSlice: [hint.length, content.length] as const }),
  };
}

function restorePayload(message: DecodedMessage, markdown: string): Payload {
  const { message: raw = {}, chain = [] } = message;
  const { context: _c, attachments: _a, sources: _s, covers: _covers, uncovered: _uncovered, toolChainResult, ...rest } = raw;
  const history =
    typeof toolChainResult === 'object' && toolChainResult !== null
      ? { toolChainResult: { ...toolChainResult, toolCallHistory: chain.flatMap(fromEntry) } }
      : {};
  const read = v.safeParse(payloadFormat, { ...rest, ...history });
  return read.success ? sentAsShown(read.output) : fallbackPayload(message, markdown);
}

function restoreContext(message: DecodedMessage): Pick<Node, 'context' | 'attachments' | 'sources' | 'covers' | 'uncovered'> {
  const read = v.safeParse(contextsFormat, message.message?.context);
  const files = v.safeParse(attachmentsFormat, message.message?.attachments);
  const sources = message.message?.sources;
  const summary = v.safeParse(coverageFormat, message.message);
  return {
    ...(summary.success ? summary.output : {}),
    context: read.success ? read.output : undefined,
    attachments: files.success ? files.output : undefined,
    sources: isSourceList(sources) ? sources : undefined,
  };
}

const coverageFormat = v.object({ covers: v.optional(v.string()), uncovered: v.optional(v.array(v.string())) });

export interface RestoredThread extends Pick<Session, 'nodes' | 'rootId' | 'leafId' | 'variables'> {
  /** Names of variables whose values are not in the document. */
  readonly missing: readonly string[];
}

const VARIABLE_TYPES: readonly string[] = ['ToolCallResult', 'ToolCallArgs', 'LLMAdd', 'UserAdd'];
const isVariableType = (type: string): type is SavedVariable['type'] => VARIABLE_TYPES.includes(type);

/** Sorts parents before children, wherever the user moved them in the document. */
function inTalkOrder<T extends DecodedMessage>(messages: readonly T[]): readonly T[] {
  const byId = new Map(messages.map((message) => [message.nodeId, message]));
  const ordered = new Set<T>();
  for (const message of messages) {
    const waiting: T[] = [];
    for (let next: T | undefined = message; next && !ordered.has(next) && !waiting.includes(next); next = byId.get(next.parentId ?? ''))
      waiting.push(next);
    for (const one of waiting.reverse()) ordered.add(one);
  }
  return [...ordered];
}

/** The inverse of projectThread. Values are of the document's notebook; rules, which others may have set, are not restored. */
export function restoreThread(
  messages: readonly (DecodedMessage & { readonly markdown: string })[],
  notebook: string,
  mark: Node['changed'],
): RestoredThread {
  const nodes: Record<string, Node> = {};
  for (const message of inTalkOrder(messages)) {
    const payload = restorePayload(message, message.markdown);
    const { nodeId: id, role } = message;
    // A message whose parent was deleted in the document follows the one before it.
    const parent = message.parentId !== null && nodes[message.parentId] ? message.parentId : (Object.keys(nodes).at(-1) ?? null);
    nodes[id] = {
      id,
      role,
      parent,
      versions: { [payload.id]: payload },
      currentVersionId: payload.id,
      ...restoreContext(message),
      changed: mark,
    };
  }
  const saved = messages.flatMap((message) => message.vars ?? []);
  const variables = saved.flatMap(({ name, type, value, desc, created = mark.time, sources, node }): readonly SavedVariable[] => {
    if (value === undefined || !isVariableType(type)) return [];
    const origin = { sources: isSourceList(sources) ? sources : undefined, node };
    return [{ name, type, value, created, notebooks: [notebook], desc, ...origin }];
  });
  const ids = Object.keys(nodes);
  return {
    nodes,
    rootId: ids[0] ?? null,
    leafId: ids.at(-1) ?? null,
    variables,
    missing: saved.filter((one) => one.value === undefined).map((one) => one.name),
  };
}
