// A file of its own in the built plugin: loaded where there are orders, or their page is opened.

import { answeringModel, type ChatControllerDeps, modelOfChat } from '../../../chat/controller/controller-deps.ts';
import { emptySession } from '../../../chat/store/turn-log.ts';
import { ChatSession } from '../../../chat/turn/session.ts';
import { DecisionRefused } from '../../../tools/calls/pending.ts';
import { startPersonsCall } from '../../../tools/calls/recorded-call.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import { HeadlessApprovalAdapter } from '../../../tools/executor/approvals.ts';
import { NEVER } from '../../../tools/util/abort.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import { type OrdersOptions, openOrders, type RunChat, type RunChatEnd } from '../open-orders.ts';
import type { NewOrder, OrdersPort } from '../orders-port.ts';

export interface PanelOrdersDeps
  extends Pick<
    OrdersOptions,
    | 'storage'
    | 'timeZone'
    | 'lease'
    | 'notes'
    | 'settings'
    | 'modelNamed'
    | 'runTools'
    | 'notesFor'
    | 'executor'
    | 'follow'
    | 'pending'
    | 'history'
  > {
  readonly chats: ChatControllerDeps;
  /** Reads again what is in the notes, by which tools are on. */
  readonly look: () => Promise<unknown>;
}

export interface RunningOrders {
  readonly port: OrdersPort;
  /** One look at what is due. */
  tick(): Promise<void>;
  /** Another program may run them. */
  release(): Promise<void>;
}

/** A run as a chat beside the shown one. */
async function runBeside(
  deps: ChatControllerDeps,
  { id, title, text, models, executorFactory }: RunChat,
  signal: AbortSignal,
): Promise<RunChatEnd> {
  const saved = emptySession({ id, title, created: deps.clock.now() });
  const chat = new ChatSession({ ...deps, executorFactory }, { onChange: () => undefined, onNotice: () => undefined }, saved);
  const stop = (): void => inBackground(chat.stop());
  signal.addEventListener('abort', stop, { once: true });
  try {
    const chosen = modelOfChat(models.model, { sessionId: id, purpose: 'answer' }, undefined);
    await chat.ask(text, { contexts: [] }, answeringModel(chosen));
    const answer = chat.tree.thread().findLast(({ role }) => role === 'assistant');
    const payload = answer && chat.tree.payload(answer.id);
    if (payload?.status === 'done') return { status: 'completed' };
    return payload?.status === 'error' ? { status: 'error', error: payload.error } : { status: 'aborted' };
  } finally {
    signal.removeEventListener('abort', stop);
    chat.dispose();
  }
}

/** An order as Markdown for the note. */
function orderMarkdown({ name, when, budget, text, quiet, limit }: NewOrder): string {
  const lines = { When: when.replaceAll('*', '\\*'), Budget: budget, Quiet: quiet, Limit: limit };
  const oneLine = (value: string): string => value.replaceAll(/\s+/gu, ' ').trim();
  const settings = Object.entries(lines).flatMap(([setting, value = '']) => (value === '' ? [] : [`- ${setting}: ${oneLine(value)}`]));
  return `## ${oneLine(name)}\n\n${settings.join('\n')}\n\n${text}`;
}

/** What the person wrote in a form, as an ordinary call: it is in the journal like every write, but no model wrote it. */
async function write(deps: PanelOrdersDeps, tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const { clock, newId } = deps.chats;
  const executor = deps.executor(new HeadlessApprovalAdapter(() => ({ approved: true, beyondRight: true })));
  await deps.follow(executor);
  const place = { sessionId: `orders-${newId()}`, nodeId: '', signal: NEVER, clock, recorder: null };
  const { written, error } = await startPersonsCall({ callId: newId(), tool, args }, { asker: 'form', executor, ...place }).result;
  if (!written) throw new ToolError(error?.code ?? 'tool_failed', error?.message ?? 'nothing was written', error?.next ?? 'try again');
  return written.documentId;
}

export function openPanelOrders(deps: PanelOrdersDeps): RunningOrders {
  const { chats } = deps;
  const { clock, newId, activity } = chats;
  if (!activity) throw new Error('the panel records what was done');
  const { files, orders, inbox } = openOrders({
    ...{ ...deps, clock, newId, activity },
    models: chats,
    chat: (chat, signal) => runBeside(chats, chat, signal),
  });
  const port: OrdersPort = {
    view: () => orders.view(NEVER),
    inbox: () => inbox.list(),
    count: () => inbox.count(),
    async decide({ run, id }, decision) {
      try {
        return await inbox.decide(run, id, decision);
      } catch (error) {
        if (error instanceof DecisionRefused) return false;
        throw error;
      }
    },
    drop: ({ run, id }) => inbox.drop(run, id),
    isOrdersNote: (id) => orders.isOrdersNote(id, NEVER),
    choose: (note) => orders.choose(note),
    makeNote: async (notebook, title, markdown) =>
      orders.choose(await write(deps, 'create_doc', { notebook, path: `/${title}`, markdown })),
    async add(order) {
      await write(deps, 'insert_blocks', { anchor: (await files.wishes()).note, position: 'append', markdown: orderMarkdown(order) });
    },
    runNow: (id, note) => orders.runNow(id, note),
    pause: (id) => orders.pause(id),
    resume: (id) => orders.resume(id),
    runForAll: (id) => orders.runForAll(id),
    databases: () => deps.notes.databases({}, NEVER),
    async addColumn(id, name) {
      // Its database may be the first one, made just now.
      await deps.look();
      await write(deps, 'db_write', { id, op: 'columns', columns: [{ op: 'add', name, type: 'text' }] });
    },
  };
  return { port, tick: () => orders.tick(), release: () => orders.release() };
}
