import * as v from 'valibot';
import { type EventError, isErrorCode } from '../../tools/contract/errors.ts';
import { type FoundList, isFoundList } from '../../tools/contract/found-notes.ts';
import { TOOL_PROTOCOLS } from '../../tools/contract/tool-call-config.ts';
import { nextTask } from '../../tools/util/next-task.ts';
import { isRecord } from '../../tools/util/plain-value.ts';
import { withOwnIds } from './contexts.ts';
import { upgradeChain, upgradeRecord } from './saved-calls.ts';
import {
  type Attachment,
  type Node,
  type Payload,
  type SavedToolChain,
  type SavedVariable,
  SESSION_SCHEMA,
  type Session,
  type ToolCallRecord,
} from './types.ts';

const variableTypes = ['ToolCallResult', 'ToolCallArgs', 'RULE', 'LLMAdd', 'UserAdd'] as const;
const text = v.string();
const time = v.pipe(v.number(), v.finite());

function isCallRecord(value: unknown): value is ToolCallRecord {
  return (
    isRecord(value) &&
    typeof value.callId === 'string' &&
    typeof value.toolName === 'string' &&
    isRecord(value.args) &&
    isRecord(value.result) &&
    typeof value.result.status === 'string' &&
    typeof value.result.preview === 'string' &&
    typeof value.startTime === 'number' &&
    typeof value.endTime === 'number'
  );
}

export const callRecordFormat = v.pipe(v.custom<ToolCallRecord>(isCallRecord, 'a damaged tool call'), v.transform(upgradeRecord));

const isRound = (value: unknown): boolean =>
  isRecord(value) && typeof value.text === 'string' && Array.isArray(value.callIds) && value.callIds.every((id) => typeof id === 'string');

export function isToolChain(value: unknown): value is SavedToolChain {
  if (!isRecord(value) || !Array.isArray(value.toolCallHistory) || !Array.isArray(value.rounds)) return false;
  return (
    value.toolCallHistory.every(isCallRecord) && value.rounds.every(isRound) && isRecord(value.stats) && typeof value.status === 'string'
  );
}

const isMessage = (value: unknown): boolean =>
  isRecord(value) && (value.role === 'user' || value.role === 'assistant') && typeof value.content === 'string';

const stamp = v.object({ time, device: text });
const usage = v.object({
  prompt_tokens: v.number(),
  completion_tokens: v.number(),
  total_tokens: v.number(),
  cached_tokens: v.optional(v.number()),
});
const eventError = v.pipe(
  v.object({ code: text, message: text, next: text }),
  v.transform((error): EventError => ({ ...error, code: isErrorCode(error.code) ? error.code : 'other' })),
);

/** A path outside the assets folder could make any file of the workspace be read and sent. */
const isAsset = (path: string): boolean => path.startsWith('assets/') && !path.split(/[\\/]/u).includes('..');
/** Kinds and fields of a later version are kept: such a note or file is shown, and sent, by its text. */
export const attachmentsFormat: v.GenericSchema<unknown, readonly Attachment[]> = v.array(
  v.looseObject({
    id: text,
    kind: text,
    name: text,
    mime: text,
    size: v.pipe(v.number(), v.minValue(0)),
    asset: v.pipe(text, v.check(isAsset, 'an attachment lies in assets/')),
    text: v.optional(text),
  }),
);

/** Unknown fields survive a save: another device may need them. */
export const payloadFormat: v.GenericSchema<unknown, Payload> = v.looseObject({
  id: text,
  message: v.custom<Payload['message']>(isMessage, 'a message needs role and content'),
  author: text,
  created: time,
  usage: v.optional(usage),
  time: v.optional(v.object({ firstToken: time, total: time })),
  token: v.optional(v.number()),
  userPromptSlice: v.optional(v.tuple([v.number(), v.number()])),
  toolChainResult: v.optional(v.pipe(v.custom<SavedToolChain>(isToolChain, 'a damaged tool chain'), v.transform(upgradeChain))),
  toolChainMessages: v.optional(v.array(v.custom<NonNullable<Payload['toolChainMessages']>[number]>(isRecord))),
  files: v.optional(attachmentsFormat),
  citations: v.optional(v.array(text)),
  writes: v.optional(v.array(text)),
  withheld: v.optional(v.array(text)),
  leftOut: v.optional(
    v.looseObject({
      messages: v.number(),
      results: v.optional(v.number()),
      summary: v.optional(v.fallback(v.picklist(['withheld', 'failed', 'budget']), 'failed')),
    }),
  ),
  end: v.optional(text),
  // An unreadable value counts as private: more is asked, never less.
  isPrivate: v.optional(v.fallback(v.boolean(), true)),
  fromElsewhere: v.optional(v.fallback(v.boolean(), true)),
  status: v.picklist(['done', 'stopped', 'error', 'interrupted']),
  error: v.optional(eventError),
});

/** An unreadable source would be lost silently, and its text sent: so a damaged source counts as a damaged file. */
const sourceFormat = v.looseObject({
  notebook: v.optional(text),
  document: v.optional(text),
  blocks: v.optional(v.array(text)),
  except: v.optional(v.array(text)),
});

const contextFormat = v.looseObject({
  contextId: v.optional(text),
  kind: text,
  id: text,
  title: text,
  text,
  sources: v.optional(v.array(sourceFormat)),
  found: v.optional(v.custom<FoundList>(isFoundList)),
  // Without it the words stay in the text, and the note is still sent.
  mention: v.optional(v.fallback(v.optional(v.string()), undefined)),
});
/** Contexts without ids, or with duplicate ids, get unique ones when they are read. */
export const contextsFormat = v.pipe(
  v.array(contextFormat),
  v.transform((contexts) => withOwnIds(contexts)),
);

/** A record silently drops such names: a value with such a name would be lost with the next save. */
const hasPlainKeys = (value: unknown): boolean =>
  isRecord(value) && !['__proto__', 'prototype', 'constructor'].some((name) => Object.hasOwn(value, name));

/** Things by id. If a thing has another id than its key, the key wins: all references use it. */
const byId = <T extends { readonly id: string }>(format: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.custom<Record<string, unknown>>(hasPlainKeys, 'a record with a name that none can have'),
    v.record(text, format),
    v.transform((things) =>
      Object.fromEntries(Object.entries(things).map(([id, thing]) => [id, thing.id === id ? thing : { ...thing, id }])),
    ),
  );

const nodeShape: v.GenericSchema<unknown, Node> = v.looseObject({
  id: text,
  role: v.picklist(['user', 'assistant', 'separator']),
  parent: v.nullable(text),
  versions: byId(payloadFormat),
  currentVersionId: text,
  hidden: v.optional(v.boolean()),
  pinned: v.optional(v.boolean()),
  deleted: v.optional(v.boolean()),
  restored: v.optional(v.number()),
  context: v.optional(contextsFormat),
  attachments: v.optional(attachmentsFormat),
  sources: v.optional(v.array(sourceFormat)),
  covers: v.optional(text),
  uncovered: v.optional(v.array(text)),
  checked: v.optional(v.fallback(v.array(v.object({ sentence: text, verdict: text, words: text })), [])),
  changed: stamp,
});

export const nodeFormat: v.GenericSchema<unknown, Node> = v.pipe(
  nodeShape,
  v.check((node) => node.versions[node.currentVersionId] !== undefined, 'the current version is missing'),
);

export const variableFormat: v.GenericSchema<unknown, SavedVariable> = v.object({
  name: text,
  type: v.picklist(variableTypes),
  value: text,
  desc: v.optional(text),
  isPrivate: v.optional(v.boolean()),
  created: time,
  notebooks: v.optional(v.array(text)),
  sources: v.optional(v.array(sourceFormat)),
  node: v.optional(text),
  pinned: v.optional(v.boolean()),
  file: v.optional(text),
});

const sessionFields = {
  id: text,
  title: text,
  created: time,
  updated: time,
  tags: v.array(text),
  pinned: v.boolean(),
  archived: v.optional(v.boolean()),
  origin: v.optional(v.literal('suggestion')),
  // Unreadable, it is a project that is gone, never none.
  project: v.optional(v.fallback(text, '')),
  model: v.optional(v.looseObject({ providerId: text, model: text })),
  systemPrompt: v.optional(text),
  options: v.optional(v.record(text, v.unknown())),
  contextMessages: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  // A value of a later version: until then the settings apply.
  toolProtocol: v.optional(v.fallback(v.picklist(TOOL_PROTOCOLS), 'auto')),
  planFirst: v.optional(v.fallback(v.literal(true), true)),
  fromElsewhere: v.optional(v.fallback(v.literal(true), true)),
  nodes: byId(nodeFormat),
  rootId: v.nullable(text),
  leafId: v.nullable(text),
  choices: v.optional(v.record(text, text)),
  changed: v.optional(v.record(text, stamp)),
  variables: v.array(variableFormat),
  approvals: v.array(v.object({ tool: text, scope: text })),
  boundDocument: v.optional(text),
  noteNotebooks: v.optional(v.array(text)),
  savedNote: v.optional(text),
};

/** If the file has no valid leaf, the message changed last is shown, so that the chat can be read. */
function withEnds(session: Session): Session {
  const { nodes, rootId, leafId } = session;
  const all = Object.values(nodes);
  const last = all.reduce<Node | null>((found, node) => (found && found.changed.time > node.changed.time ? found : node), null);
  const root = rootId !== null && nodes[rootId] ? rootId : (all.find((node) => node.parent === null) ?? all[0])?.id;
  const leaf = leafId !== null && nodes[leafId] ? leafId : last?.id;
  return root === rootId && leaf === leafId ? session : { ...session, rootId: root ?? null, leafId: leaf ?? null };
}

const sessionFormat: v.GenericSchema<unknown, Session> = v.pipe(
  v.looseObject({ schema: v.literal(SESSION_SCHEMA), ...sessionFields }),
  v.transform((session) => withEnds(session)),
);
/** Changes of a chat: a session whose messages may lack versions that its file has. */
export const changesFormat: v.GenericSchema<unknown, Session> = v.looseObject({
  ...{ schema: v.literal(SESSION_SCHEMA), ...sessionFields },
  nodes: byId(nodeShape),
});

/** `newer`: written by a later version; `session` is present if it can still be shown, read-only. */
export type ReadSession =
  | { readonly kind: 'ok'; readonly session: Session }
  | { readonly kind: 'newer'; readonly schema: number; readonly session: Session | null }
  | { readonly kind: 'broken'; readonly reason: string };

function parseJson(source: string): { readonly value: unknown } | { readonly reason: string } {
  try {
    return { value: JSON.parse(source) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : 'no JSON' };
  }
}

/** Reads a session file of any version. Never throws: a damaged file is one of the results. */
export function readSession(source: string): ReadSession {
  const json = parseJson(source);
  if ('reason' in json) return { kind: 'broken', reason: json.reason };
  const schema = isRecord(json.value) ? json.value.schema : undefined;
  if (typeof schema !== 'number') return { kind: 'broken', reason: 'no schema number' };
  const newer = schema > SESSION_SCHEMA;
  const parsed = v.safeParse(sessionFormat, isRecord(json.value) && newer ? { ...json.value, schema: SESSION_SCHEMA } : json.value);
  if (newer) return { kind: 'newer', schema, session: parsed.success ? parsed.output : null };
  if (parsed.success) return { kind: 'ok', session: parsed.output };
  const [issue] = parsed.issues;
  return { kind: 'broken', reason: `${v.getDotPath(issue) ?? 'file'}: ${issue.message}` };
}

/** Nodes never change once created, so each is serialized once: saving a long chat costs only what is new. */
const nodeTexts = new WeakMap<Node, string>();

function nodeText(node: Node): string {
  const known = nodeTexts.get(node);
  if (known !== undefined) return known;
  const made = JSON.stringify(node);
  nodeTexts.set(node, made);
  return made;
}

/** Characters of messages that are serialized at once. */
const AT_ONCE = 500_000;

/** To be awaited before `writeSession`: serializing all of a long chat at once would block the window. */
export async function prepareTexts({ nodes }: Session): Promise<void> {
  let made = 0;
  for (const node of Object.values(nodes)) {
    if (nodeTexts.has(node)) continue;
    made += nodeText(node).length;
    if (made < AT_ONCE) continue;
    made = 0;
    await nextTask();
  }
}

export function writeSession({ nodes, ...session }: Session): string {
  const parts = Object.entries(nodes).map(([id, node]) => ({ node, name: `${JSON.stringify(id)}:`, text: nodeText(node) }));
  const head = `${JSON.stringify(session).slice(0, -1)},"nodes":{`;
  const whole = `${head}${parts.map(({ name, text }) => name + text).join(',')}}}`;
  let at = head.length;
  for (const { node, name, text } of parts) {
    at += name.length;
    // As a slice of the whole string it takes no memory of its own.
    nodeTexts.set(node, whole.slice(at, at + text.length));
    at += text.length + 1;
  }
  return whole;
}
