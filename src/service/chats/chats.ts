import { randomBytes } from 'node:crypto';
import type { NotebookLevels } from '../../app/workspace/narrowed-policy.ts';
import { newChatOf } from '../../chat/session/named-project.ts';
import type { NewChat, SessionSummary } from '../../chat/session/types.ts';
import { isSafeId } from '../../chat/store/session-files.ts';
import type { OutsideChange } from '../../chat/store/store-port.ts';
import { emptySession } from '../../chat/store/turn-log.ts';
import type { SessionDeps } from '../../chat/turn/session.ts';
import { PendingList } from '../../tools/calls/pending.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { joined } from '../../tools/util/turns.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Workspace } from '../kernel/workspace-types.ts';
import type { Records } from '../records/records.ts';
import { AnswerRoom, PROCESS_HEAP } from './answer-room.ts';
import { askedProject } from './asked-project.ts';
import { attachFiles, type GivenAttachment } from './attached-files.ts';
import { chatBusy, LiveChat, type StartedTurn } from './live-chat.ts';
import { type MessagePage, type MessageView, messagesOf, type ToolMode } from './messages.ts';
import { ToolFeed } from './tool-feed.ts';
import { approvalView } from './turn-events.ts';

/** Idle chats that are kept open, so that a client finds the events of the last turn. */
const MAX_IDLE = 100;
/** UTF-16 units of the events of all open chats together: beyond that, idle ones are closed, the oldest first. */
const MAX_EVENTS = 32 * 1024 * 1024;
/** Milliseconds for which every chat is kept open, if there is room: a client that was disconnected from many chats finds each of them. */
const IDLE_MS = 15_000;

const JUST_OPENED_MS = 1000;

/** How a chat is opened: what it begins with if it is new, and its tools if they are not the workspace's: those of a program, or of a run. */
export interface MadeAs {
  readonly title?: string;
  readonly made?: NewChat | undefined;
  readonly owner?: string;
  readonly executorFactory?: SessionDeps['executorFactory'];
  /** What its project keeps to besides; absent: the rights of the workspace. */
  readonly levels?: NotebookLevels | undefined;
}

const noChat = (id: string): ServiceError =>
  new ServiceError(404, 'chat_missing', `there is no chat ${JSON.stringify(id.slice(0, 80))}`, 'GET /api/chat/sessions lists them');

function requireSafeId(id: string): void {
  // Some signs are letters of ours only in lower case.
  if (!isSafeId(id) || !isSafeId(id.toLowerCase()))
    throw new ServiceError(
      400,
      'bad_session_id',
      'a session id is 1 to 80 letters, digits, - and _',
      'leave session_id out for a new chat',
    );
}

/** Some file systems ignore case in names: so do we, everywhere. */
export const isSameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** All chats of the service: each is open once, however many clients it has. */
export class Chats {
  private readonly workspace: Workspace & Pick<Records, 'requireRoom'>;
  /** What waits for a person in any chat. */
  readonly pending = new PendingList();
  private readonly closing = new AbortController();
  private readonly live = new Map<string, Promise<LiveChat>>();
  private readonly room = new AnswerRoom(PROCESS_HEAP, () => this.closeIdle(0));
  private idleTimer: ReturnType<typeof setTimeout> | undefined;
  /** The tool events of all chats. */
  readonly feed = new ToolFeed();

  private readonly unsubscribe: () => void;

  constructor(workspace: Workspace & Pick<Records, 'requireRoom'>) {
    this.workspace = workspace;
    this.unsubscribe = workspace.store.subscribe((ids) => this.outdate(ids));
  }

  /** Restores what a crash of the service left behind. What fails is tried again when its chat is opened. */
  async recover(): Promise<void> {
    const { store } = this.workspace;
    for (const id of await store.interrupted()) {
      await store.load(id).catch(() => null);
      store.forget(id);
    }
  }

  list(): Promise<readonly SessionSummary[]> {
    return this.workspace.store.list();
  }

  /** Starts a turn; creates the chat if it does not exist. Rejects with ServiceError, or with ToolError if the kernel fails. */
  async send(
    sessionId: string | undefined,
    message: string,
    {
      files = [],
      project,
      planFirst,
    }: {
      readonly files?: readonly GivenAttachment[];
      readonly project?: string | undefined;
      readonly planFirst?: boolean | undefined;
    } = {},
  ): Promise<StartedTurn & { readonly chat: LiveChat }> {
    const id = sessionId ?? this.workspace.newId();
    requireSafeId(id);
    await this.workspace.refresh();
    this.workspace.requireRoom(message.length);
    const made = project === undefined ? undefined : newChatOf(await askedProject(this.workspace.projects, project));
    const leaveRoom = await this.room.take();
    const end = (): void => {
      leaveRoom();
      this.closeIdleSoon();
    };
    try {
      const chat = await this.open(id, sessionId === undefined ? 'new' : 'make', { made });
      if (made && chat.projectId !== made.project)
        throw new ServiceError(409, 'other_project', 'this chat was begun without this project', 'leave session_id out for a new chat');
      this.workspace.applySettings(chat.tools.executor);
      const attachments = await attachFiles(files, this.workspace, this.closing.signal);
      const started = chat.start(message, this.workspace.models, { attachments, planFirst });
      started.ended.then(end, end);
      return { chat, ...started };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** The chat of another program, under its title and with its tools. Rejects like `send`. */
  async ofProgram(id: string, as: MadeAs & Required<Pick<MadeAs, 'title' | 'owner' | 'executorFactory'>>): Promise<LiveChat> {
    await this.workspace.refresh();
    this.workspace.requireRoom(0);
    return this.open(id, 'make', as);
  }

  /** An open chat; null for one that exists but is not open. Rejects with ServiceError if there is none. */
  async held(id: string): Promise<LiveChat | null> {
    requireSafeId(id);
    const open = this.live.get(id);
    if (open) return open;
    const saved = await this.saved();
    const name = this.nameOf(id, saved);
    const chat = await this.live.get(name);
    if (chat) return chat;
    if (saved.includes(name)) return null;
    throw noChat(id);
  }

  async messages(id: string, mode: ToolMode, page: MessagePage): Promise<readonly MessageView[]> {
    requireSafeId(id);
    const known = await this.live.get(id);
    // Opened for reading too: the store would treat a running answer as one that a crash cut off.
    return messagesOf((known?.fresh ? known : await this.open(id, 'find')).read(), mode, page);
  }

  /**
   * Undoes what an answer wrote, or one of its calls; `redo` writes again what was undone. Rejects with ServiceError while the
   * chat writes, or if there is no such answer.
   */
  async turnBack(
    action: 'undo' | 'redo',
    id: string,
    { message_id: messageId, call_id: callId }: { readonly message_id: string; readonly call_id?: string },
  ) {
    requireSafeId(id);
    await this.workspace.refresh();
    const chat = await this.open(id, 'find');
    const { tree } = chat.read();
    if (chat.running)
      throw new ServiceError(409, 'chat_busy', 'this chat is writing an answer', `wait until it is finished or abort it, then ${action}`);
    if (!tree.has(messageId) || tree.node(messageId).role !== 'assistant')
      throw new ServiceError(404, 'message_missing', 'this chat has no such answer', `GET /api/chat/sessions/${id}/messages lists them`);
    return this.workspace.history[action](chat.id, messageId, this.closing.signal, callId);
  }

  /** Pending approvals, of one chat or all. */
  waiting(sessionId?: string): readonly object[] {
    const entries = this.pending.list().filter((entry) => sessionId === undefined || isSameId(entry.sessionId, sessionId));
    return entries.map(({ id, sessionId: session, request, name, from }) => ({ ...approvalView(id, session, request), from, title: name }));
  }

  private outdate(ids: OutsideChange): void {
    for (const [id, opening] of this.live)
      if (ids === null || ids.includes(id)) void opening.then((chat) => chat.outdate()).catch(() => undefined);
  }

  /** Ends every turn; partial answers are saved. */
  async close(): Promise<void> {
    this.closing.abort();
    clearTimeout(this.idleTimer);
    this.unsubscribe();
    const chats = await Promise.all(this.live.values());
    await Promise.all(chats.map((chat) => chat.stop()));
    for (const chat of chats) chat.dispose();
  }

  /** Ids of the chats that have a file; read once for concurrent requests. */
  private readonly saved = joined(async (): Promise<readonly string[]> => (await this.workspace.store.list()).map(({ id }) => id));

  /** The existing id of a chat that was requested with different case. If an older service created two, they stay two. */
  private nameOf(asked: string, saved: readonly string[]): string {
    const known = [...this.live.keys(), ...saved];
    return known.includes(asked) ? asked : (known.find((id) => isSameId(id, asked)) ?? asked);
  }

  /** A missing chat is created, or with `find` this rejects with ServiceError; `new`: nobody can have chosen its id before. */
  private async open(asked: string, how: 'new' | 'make' | 'find', as: MadeAs = {}): Promise<LiveChat> {
    const saved = how === 'new' || this.live.has(asked) ? [] : await this.saved();
    // Nothing is awaited until it is in the list of open chats: two concurrent requests open it once.
    const id = this.nameOf(asked, saved);
    const known = this.live.get(id);
    if (known) {
      const chat = await known;
      // Rights belong to who asks, not to what is open.
      const isTheirs = how === 'find' || chat.owner === (as.owner ?? '');
      if (chat.running && !isTheirs) throw chatBusy(id);
      if (isTheirs && (chat.running || (await chat.refresh()))) return chat;
      // Somebody else’s, or a turn in another window is over.
      chat.dispose();
      if (this.live.get(id) === known) this.live.delete(id);
    }
    const opening = this.live.get(id) ?? this.load(id, how !== 'find', as);
    this.live.set(id, opening);
    opening.catch(() => this.live.delete(id));
    const chat = await opening;
    await this.closeIdle();
    return chat;
  }

  /** The rights, switches and project of this moment, before a decision is carried out. */
  readonly follow = async (executor: ToolExecutor): Promise<void> => {
    await this.workspace.refresh();
    await this.workspace.readProject(executor, this.closing.signal);
    this.workspace.applySettings(executor);
  };

  private async load(
    id: string,
    make: boolean,
    { title = '', made, owner = '', executorFactory = this.workspace.executorFactory, levels }: MadeAs,
  ): Promise<LiveChat> {
    const { store, clock, projects } = this.workspace;
    const loaded = await store.load(id);
    if (!loaded && !make) throw noChat(id);
    const saved = loaded?.session ?? { ...emptySession({ id, title, created: clock.now() }), ...made };
    const project = projects && ((of: string) => projects.of(of, levels));
    const options = { owner, pending: this.pending, follow: this.follow, newApprovalId: () => randomBytes(12).toString('hex') };
    const chat = new LiveChat({ ...this.workspace, executorFactory, project }, options, saved, loaded ?? undefined);
    this.feed.follow(id, chat.log);
    return chat;
  }

  /** Many chats may end together, as many as are opened together, and each frees room for others. */
  private closeIdleSoon(): void {
    this.idleTimer ??= setTimeout(() => {
      this.idleTimer = undefined;
      void this.closeIdle().catch(() => undefined);
    }, JUST_OPENED_MS).unref();
  }

  /** `most`: UTF-16 units of events that may stay. */
  private async closeIdle(most = MAX_EVENTS): Promise<void> {
    const open = await Promise.all(this.live.values());
    let size = open.reduce((sum, { log }) => sum + log.size, 0);
    if (open.length <= MAX_IDLE && size <= most) return;
    const now = this.workspace.clock.now();
    const since = now - IDLE_MS;
    const idle = open.filter((chat) => !chat.running).sort((left, right) => left.usedAt - right.usedAt);
    const tooMany = Math.max(0, idle.length - MAX_IDLE);
    for (const [at, chat] of idle.entries()) {
      // It was opened a moment ago, and a turn is about to begin.
      if (chat.usedAt >= now - JUST_OPENED_MS) {
        this.closeIdleSoon();
        break;
      }
      if (size <= most && (at >= tooMany || chat.usedAt >= since)) continue;
      size -= chat.log.size;
      this.live.delete(chat.id);
      chat.dispose();
      this.workspace.store.forget(chat.id);
    }
  }
}
