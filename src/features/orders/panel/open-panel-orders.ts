// A file of its own in the built plugin: loaded where there are orders, or their page is opened.

import { newId } from '../../../app/device-storage.ts';
import type { PanelEnvironment } from '../../../app/panel-environment.ts';
import { NOBODY_ANSWERS } from '../../../app/workspace/chat-executor.ts';
import { asChatStorage } from '../../../app/workspace/chat-storage.ts';
import { narrowedPolicy, onceForLevels } from '../../../app/workspace/narrowed-policy.ts';
import { timeZone } from '../../../app/workspace/system-clock.ts';
import { answeringModel, type ChatControllerDeps, modelOfChat } from '../../../chat/controller/controller-deps.ts';
import { newChatOf } from '../../../chat/session/named-project.ts';
import { emptySession } from '../../../chat/store/turn-log.ts';
import { ChatSession } from '../../../chat/turn/session.ts';
import { DecisionRefused } from '../../../tools/calls/pending.ts';
import { followSwitches } from '../../../tools/executor/listed-tools.ts';
import { NEVER } from '../../../tools/util/abort.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import { type OrdersOptions, openOrders, type RunChat, type RunChatEnd, titleOf } from '../open-orders.ts';
import type { OrderSettings, OrdersPort } from '../orders-port.ts';
import { changeOrder, orderMarkdown, settingLines, writeByForm } from './written-orders.ts';

interface PanelOrdersDeps extends Omit<OrdersOptions, 'clock' | 'models' | 'chat' | 'activity' | 'newId' | 'onChange'> {
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
  { id, title, text, models, executorFactory, project, levels }: RunChat,
  signal: AbortSignal,
): Promise<RunChatEnd> {
  const saved = { ...emptySession({ id, title, created: deps.clock.now() }), ...(project && newChatOf(project)) };
  const { project: open } = deps;
  const keepsTo: typeof open = open && ((of) => open(of, levels));
  const chat = new ChatSession(
    { ...deps, executorFactory, project: keepsTo },
    { onChange: () => undefined, onNotice: () => undefined },
    saved,
  );
  const stop = (): void => inBackground(chat.stop());
  signal.addEventListener('abort', stop, { once: true });
  try {
    const chosen = modelOfChat(models.model, { sessionId: id, purpose: 'answer' }, saved.model);
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

function openPanelOrders(deps: PanelOrdersDeps): RunningOrders {
  const { chats } = deps;
  const { clock, newId, activity } = chats;
  if (!activity) throw new Error('the panel records what was done');
  const { files, orders, inbox } = openOrders({
    ...{ ...deps, clock, newId, activity },
    models: chats,
    chat: (chat, signal) => runBeside(chats, chat, signal),
  });
  const titled = async <Given extends OrderSettings>(order: Given): Promise<Given> =>
    order.project ? { ...order, projectTitle: await titleOf(order.project, deps.notes, NEVER) } : order;
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
      orders.choose((await writeByForm(deps, 'create_doc', { notebook, path: `/${title}`, markdown })).documentId),
    async add(order) {
      const markdown = orderMarkdown(await titled(order));
      await writeByForm(deps, 'insert_blocks', { anchor: (await files.wishes()).note, position: 'append', markdown });
    },
    change: async (id, before, after) => changeOrder(deps, await orders.blocksOf(id, NEVER), await titled(before), await titled(after)),
    remove: async (id) => writeByForm(deps, 'delete_blocks', { ids: (await orders.blocksOf(id, NEVER)).map((block) => block.id) }),
    problemsOf: (order) => orders.problemsOf(settingLines(order), NEVER),
    runNow: (id, note) => orders.runNow(id, note),
    pause: (id) => orders.pause(id),
    resume: (id) => orders.resume(id),
    runForAll: (id) => orders.runForAll(id),
    databases: () => deps.notes.databases({}, NEVER),
    async addColumn(id, name) {
      // Its database may be the first one, made just now.
      await deps.look();
      await writeByForm(deps, 'db_write', { id, op: 'columns', columns: [{ op: 'add', name, type: 'text' }] });
    },
  };
  return { port, tick: () => orders.tick(), release: () => orders.release() };
}

const SETTLE_MS = 1500;

/** The orders of this window. */
export function ordersOf(app: PanelEnvironment): RunningOrders {
  const { chats, base, settings, policy, notes, notesUnder, executors, modelNamed, projects, pending, look, t } = app;
  const notesFor = onceForLevels((levels) => (levels ? notesUnder(narrowedPolicy(policy, levels)) : notes));
  return openPanelOrders({
    ...{ chats, modelNamed, projects, pending, look, timeZone: timeZone(), notes: notes.notes, history: notes.history },
    storage: asChatStorage(base.storage),
    runTools: (ports, arrange, levels) => executors.arranged(ports, { arrange, notes: notesFor(levels) }),
    notesFor: (levels) => notesFor(levels).notes,
    // Each window is a program of its own.
    lease: {
      ...{ storage: base.cache, holder: newId(), name: t('orders.app') },
      settle: () => new Promise((resolve) => void setTimeout(resolve, SETTLE_MS)),
    },
    settings: () => settings.get(),
    executor: (approvalAdapter) => executors.build({ approvalAdapter, askUser: NOBODY_ANSWERS }),
    follow: (executor) => followSwitches(executor, executors.current().groups()),
  });
}
