import * as v from 'valibot';
import { ToolError } from '../../tools/contract/errors.ts';
import { canonicalJson } from '../../tools/util/plain-value.ts';
import { mergeSessions } from './merge-sessions.ts';
import { readSession } from './saved-format.ts';
import { type Node, SESSION_SCHEMA, type Session } from './types.ts';

const FORMAT = 'marginalia-chats';
const envelope = v.object({ format: v.literal(FORMAT), schema: v.literal(1), chats: v.array(v.unknown()) });

/** Complete chats as JSON, without consent, which is given to this workspace and not to a file. */
export function exportChats(chats: readonly Session[]): string {
  const plain = chats.map((chat) => ({ ...chat, approvals: [] }));
  return `${JSON.stringify({ format: FORMAT, schema: 1, chats: plain }, null, 1)}\n`;
}

function bad(message: string): ToolError {
  return new ToolError('import_unreadable', message, 'choose a file that “Export as JSON” of this plugin made');
}

function readChat(chat: unknown, index: number): Session {
  const read = readSession(JSON.stringify(chat) ?? '');
  if (read.kind === 'ok') return read.session;
  if (read.kind === 'broken') throw bad(`chat ${index + 1} of the file is damaged (${read.reason})`);
  throw new ToolError('chat_newer', `chat ${index + 1} of the file was written by a newer version`, 'update the plugin, then import again');
}

/** Messages, and a prompt, that this workspace does not have like this came from elsewhere: each change is asked about in such a chat. */
export function fromElsewhere(chat: Session, known?: Session): Session {
  const marked = (node: Node): Node => {
    const versions = Object.entries(node.versions).map(([id, payload]) => [id, { ...payload, fromElsewhere: true }] as const);
    return { ...node, versions: Object.fromEntries(versions) };
  };
  const nodes = Object.values(chat.nodes).map((node) => {
    const own = known?.nodes[node.id];
    return own && canonicalJson(marked(own)) === canonicalJson(marked(node)) ? own : marked(node);
  });
  const isForeign = known?.fromElsewhere || (chat.systemPrompt && chat.systemPrompt !== known?.systemPrompt);
  return { ...chat, ...(isForeign ? { fromElsewhere: true } : {}), nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) };
}

/** The chats of a file, without consent and each once. All or nothing: throws ToolError `import_unreadable` or `chat_newer`. */
export function importChats(text: string): readonly Session[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw bad(`the file is not JSON (${error instanceof Error ? error.message : 'unreadable'})`);
  }
  const parsed = v.safeParse(envelope, value);
  const single = v.is(v.looseObject({ schema: v.literal(SESSION_SCHEMA), nodes: v.unknown() }), value);
  if (!parsed.success && !single) throw bad('the file contains no chats');
  const chats = new Map<string, Session>();
  for (const chat of (parsed.success ? parsed.output.chats : [value]).map(readChat)) {
    // Consent and the note in which the chat continues are bound to this workspace, not to a file.
    const { boundDocument: _note, noteNotebooks: _others, savedNote: _saved, ...rest } = chat;
    const safe = { ...rest, approvals: [], variables: chat.variables.filter(({ file, type }) => file === undefined && type !== 'RULE') };
    const known = chats.get(chat.id);
    chats.set(chat.id, known ? mergeSessions(known, safe) : safe);
  }
  return [...chats.values()];
}
