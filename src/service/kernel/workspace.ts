import { randomBytes, randomInt } from 'node:crypto';
import { type BackgroundList, backgroundList } from '../../app/workspace/background-list.ts';
import { callMemory } from '../../app/workspace/call-memory.ts';
import { meaningServerOf } from '../../app/workspace/chat-executor.ts';
import { createChatModel, createSummaryModel, createTitleModel, modelNamed } from '../../app/workspace/chat-model.ts';
import { asChatStorage } from '../../app/workspace/chat-storage.ts';
import { type NotebookLevels, narrowedPolicy, onceForLevels } from '../../app/workspace/narrowed-policy.ts';
import { createFindFirst } from '../../app/workspace/search-first.ts';
import { skillFiles } from '../../app/workspace/skill-files.ts';
import { systemClock, timeZone } from '../../app/workspace/system-clock.ts';
import type { ChatModels } from '../../chat/controller/controller-deps.ts';
import { type CustomPrompt, readPrompts } from '../../chat/editor-task/editor-task-prompts.ts';
import { Peers } from '../../chat/store/peers.ts';
import { createChatStore } from '../../chat/store/store.ts';
import { type KeyValueStore, onlyWriter } from '../../chat/store/window-registry.ts';
import type { SessionDeps } from '../../chat/turn/session.ts';
import { summarize } from '../../chat/turn/summarize.ts';
import { createPageReader, pageProgram } from '../../desktop/web/page-reader.ts';
import { openGuests } from '../../features/guests/service/guests.ts';
import { type OtherServersOptions, openOtherServers, type ServerLogins } from '../../features/mcp-client/service/other-servers.ts';
import { createMemoryGroup } from '../../features/memory/memory.ts';
import type { LeaseDeps } from '../../features/orders/lease.ts';
import type { OrdersOptions } from '../../features/orders/open-orders.ts';
import { type AccessPolicy, createAccessPolicy } from '../../host/access/access-policy.ts';
import { createHostBase, type HostBase, type HostBaseDeps } from '../../host/host-base.ts';
import { openBroadcast } from '../../host/kernel/broadcast.ts';
import { createKernelClient } from '../../host/kernel/kernel-client.ts';
import type { PushSource } from '../../host/kernel/transaction-log.ts';
import { createNotesHost, type NotesHost } from '../../host/notes-host.ts';
import { followRights } from '../../host/settings/follow-rights.ts';
import { createLedger } from '../../model/budget/ledger.ts';
import type { ModelUse } from '../../model/budget/usage.ts';
import { createOpenAIMedia } from '../../model/media/openai-media.ts';
import { windowMemory } from '../../model/model-window.ts';
import { type ModelRef, probeServedModels } from '../../model/providers.ts';
import { loadModel } from '../../model/server/load-model.ts';
import type { NoteContents } from '../../tools/contract/note-queries.ts';
import type { EditingProbe, NotesPort, WriteHistory } from '../../tools/contract/ports.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { ReadPdf } from '../../tools/file-text/pdf-text.ts';
import { Skills } from '../../tools/groups/skills/skills.ts';
import { createSkillsGroup } from '../../tools/groups/skills/skills-group.ts';
import type { ToolGroup } from '../../tools/index.ts';
import { joined } from '../../tools/util/joined.ts';
import { inBackground } from '../../tools/util/notify.ts';
import { fieldOf } from '../../tools/util/plain-value.ts';
import type { UnattendedPolicy } from '../contract/policy.ts';
import type { PanelRecordsOptions } from '../records/panel-records.ts';
import { type AllowedSecret, BoundSecrets, SEARCH_KEY } from './bound-secrets.ts';
import { type ComputerOptions, openComputer } from './computer.ts';
import { openKernelFetch } from './kernel-fetch.ts';
import { openMarkdownEngine } from './lute.ts';
import { followNotes, type NotesChanges, readAfterChanges } from './notes-changes.ts';
import { openPushes, socketsTo } from './pushes.ts';
import { settleTimeZone } from './time-zone.ts';
import { openWeb, type WebOptions } from './web.ts';
import { type GivenModel, givenAsHostAi, openWorkspaceSettings, type WorkspaceSettings, withGivenModel } from './workspace-settings.ts';
import { openTools, type WorkspaceTools } from './workspace-tools.ts';

export interface WorkspaceOptions extends ComputerOptions, WebOptions, OtherServersOptions {
  /** Origin of the kernel, without a trailing slash. */
  readonly kernel: string;
  readonly kernelToken?: string | undefined;
  /** SiYuan's access code, which its socket of pushes wants. */
  /** Of days in cells, daily notes and orders. Default: that of `TZ`, else SiYuan's. */
  readonly zone?: string | undefined;
  /** Name of this service in the files that it writes; kept over restarts. */
  readonly device: string;
  /** Where messages of chats are noted at once, before any file of the workspace has them. */
  readonly unsaved: KeyValueStore;
  /** Absent: the model of the workspace's settings answers. */
  readonly model?: GivenModel | undefined;
  /** Where secrets of the environment may go from now on, besides the place that each went to first. */
  readonly allowedSecrets?: readonly AllowedSecret[] | undefined;
  /** Gets the names of the tools that may run without asking. */
  readonly policy?: ((tools: ReadonlySet<string>) => UnattendedPolicy) | undefined;
}

/** Tools and notes under the rights of one program. */
export interface ProgramTools {
  readonly executorFactory: SessionDeps['executorFactory'];
  readonly notes: Pick<NotesPort, 'recentDocuments' | 'exportMarkdown'>;
}

/** A SiYuan workspace behind its kernel: everything that chats of the service need. */
export interface Workspace extends SessionDeps {
  /** What orders need of it. */
  readonly orders: Pick<OrdersOptions, 'settings' | 'storage' | 'notes' | 'modelNamed' | 'runTools' | 'executor'> & {
    readonly leaseStorage: LeaseDeps['storage'];
  };
  /** The tools of a program that may do less than the workspace: `levels` by notebook; absent: as much. */
  readonly toolsFor: (levels?: NotebookLevels) => ProgramTools;
  /** All notebooks, whatever their rights. */
  readonly notebooks: () => Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** The user's own prompts. */
  readonly prompts: () => readonly CustomPrompt[];
  /** Applies the current switches and policies to the tools of an open chat. */
  readonly applySettings: (executor: ToolExecutor) => void;
  readonly readPdf: ReadPdf;
  readonly store: ReturnType<typeof createChatStore>;
  readonly models: ChatModels;
  /** Undo and Redo of what was written into notes and files. */
  readonly history: Pick<WriteHistory, 'undo' | 'redo' | 'state'>;
  readonly problem: WorkspaceSettings['problem'];
  readonly logins: ServerLogins;
  /** Where the panel finds the records of tool calls, and for how many days it keeps them. */
  readonly shownRecords: Pick<PanelRecordsOptions, 'storage' | 'days'>;
  /** Reads changes of settings and rights. Rejects with ToolError if the kernel does not answer. */
  refresh(): Promise<void>;
  close(): void;
}

/** Each question saves its chat three times. */
const INDEX_LATER_MS = 1000;

const newId = (): string => `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
const indexLater = (work: () => void): void => void setTimeout(work, INDEX_LATER_MS).unref();
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());
const random = (): number => randomInt(2 ** 32) / 2 ** 32;

/** Nobody types in this program; the hashes and pushes of each write detect what people type in SiYuan meanwhile. */
const NOBODY_TYPES: EditingProbe = { caretBlocks: () => [], whenLeft: async () => undefined, ask: async () => 'write' };

/** SiYuan's configuration: its AI settings, and its folder if it reports one. */
async function readConfiguration(base: HostBase, signal: AbortSignal) {
  const conf = await base.client.call('/api/system/getConf', {}, (data) => fieldOf(data, 'conf'), signal);
  const folder = fieldOf(fieldOf(conf, 'system'), 'workspaceDir');
  return { conf, ai: fieldOf(conf, 'ai'), folder: typeof folder === 'string' && folder !== '' ? folder : undefined };
}

type Configuration = Awaited<ReturnType<typeof readConfiguration>>;

/** The answering model: the given one, else the workspace's. `now`: SiYuan's configuration; `refresh` reads it again. */
async function openModel(base: HostBase, now: Configuration, settings: WorkspaceSettings, options: WorkspaceOptions, signal: AbortSignal) {
  const given = options.model;
  let { conf } = now;
  let ai = given ? givenAsHostAi(given) : now.ai;
  const parts = {
    settings: given ? withGivenModel(settings) : settings,
    hostAi: () => ai,
    served: given ? null : await probeServedModels(options.kernel, ai, fetch, signal),
    guests: given ? undefined : openGuests(options, signal),
  };
  const choose = createChatModel({
    ...parts,
    ledger: createLedger({ storage: asChatStorage(base.storage), device: options.device, now: systemClock.now }),
    proxy: { fetchFor: () => fetch, forwards: () => false },
    load: (protocol) => loadModel(protocol, () => conf),
    loadMedia: async () => (options) => createOpenAIMedia({ ...options, hostConfig: () => conf }),
    calls: callMemory(),
    windows: windowMemory(),
    today: systemClock.today,
    random,
  });
  /** Resolves with SiYuan's AI settings. */
  const refresh = async (): Promise<unknown> => {
    const read = await readConfiguration(base, signal);
    if (!given) ({ ai, conf } = read);
    return read.ai;
  };
  // A given model has precedence over that of a chat, too.
  const model = given ? (use: ModelUse) => choose(use) : choose;
  // A given model answers whatever name an order has.
  const named = (name: string): ModelRef | undefined =>
    given ? { providerId: 'environment', model: given.model } : modelNamed(parts, name);
  return { models: { model, titleModel: createTitleModel(parts, model), summaryModel: createSummaryModel(parts, model) }, named, refresh };
}

const REFUSED =
  'SiYuan closes the socket of its pushes: it has an access code, and an API token does not open that socket. What is written in SiYuan meanwhile is seen only when it is read';

function openNotes(base: HostBase, pushes: PushSource): NotesHost {
  return createNotesHost({
    base,
    random,
    probe: NOBODY_TYPES,
    engine: openMarkdownEngine(),
    pushes,
    session: `marginalia-service-${newId()}`,
  });
}

/** Notes and chats, which learn through the kernel what other programs do. */
function openNotesAndChats(
  base: HostBase,
  { device, unsaved, onProblem }: Pick<WorkspaceOptions, 'device' | 'unsaved' | 'onProblem'>,
  connect: ReturnType<typeof socketsTo>,
  signal: AbortSignal,
) {
  const { now } = systemClock;
  const peers = new Peers({
    device,
    now,
    wait,
    signal,
    broadcast: openBroadcast({ connect, signal }),
    // Each run is a separate writer: what an earlier one noted was cut off.
    registry: { ...onlyWriter(device), id: `${device}_${randomBytes(4).toString('hex')}` },
  });
  const pushes = openPushes({ connect, id: newId(), onRefused: () => onProblem?.(REFUSED), signal });
  const notes = openNotes(base, pushes);
  const storage = asChatStorage(base.storage);
  const onUnnoted = (error: unknown): void => onProblem?.(`records.db: ${error}; what is said now is only in memory until SiYuan has it`);
  // A question may be as long as a request.
  const noted = { notes: unsaved, prefix: 'chat:', largest: Number.POSITIVE_INFINITY, onProblem: onUnnoted };
  const store = createChatStore({ storage, device, now, writers: peers, channel: peers, unsaved: noted, indexLater });
  store.subscribe((ids) => base.journal.outdate(ids));
  return { notes, store, changes: followNotes(pushes, now) };
}

/** The same notes under other rights; their writes are in the same journal, and end like the others. */
function openNarrowed(
  { journal, turns }: HostBase,
  deps: Omit<HostBaseDeps, 'clock'>,
  connect: ReturnType<typeof socketsTo>,
  signal: AbortSignal,
): NotesHost {
  const pushes = openPushes({ connect, id: newId(), signal });
  const notes = openNotes({ ...createHostBase({ ...deps, clock: systemClock }), journal, turns }, pushes);
  signal.addEventListener('abort', () => notes.close(), { once: true });
  return notes;
}

/** What reaches beyond notes: the machine, the web, the memory, skills, other people's servers. `siyuan`: its workspace, if it is on this machine. */
function openBeyondNotes({ data, assets }: HostBase, options: WorkspaceOptions, settings: WorkspaceSettings, siyuan: string | undefined) {
  const computer = openComputer(options, siyuan, systemClock.now);
  // Only the panel writes the settings: a new note is found by its title.
  const memory = { get: () => settings.get().memory, title: 'Memory' };
  const reported = new Set<string>();
  const report = (problem: string): void => {
    if (!reported.has(problem)) options.onProblem?.(problem);
    reported.add(problem);
  };
  const environment = { ...process.env, [SEARCH_KEY]: options.searchKey };
  const secrets = new BoundSecrets(options.data, environment, options.allowedSecrets);
  // One for pages and PDFs, of the web and of notes: it limits how many are read at a time.
  const reader = createPageReader({ program: pageProgram() });
  const web = openWeb({ ...options, reader }, settings, secrets, report);
  const servers = openOtherServers(options, assets, () => settings.get().localOnly, secrets);
  const skills = { choices: () => settings.get().skills, files: skillFiles(data) };
  const groups = ({ notes }: NotesHost): readonly ToolGroup[] => [
    ...[...computer.groups(), web(), createMemoryGroup(notes, memory), createSkillsGroup(new Skills({ ...skills, notes }))],
    ...servers.groups(),
  ];
  return { computer, servers, groups, readPdf: reader.readPdf };
}

/** What is known of the notes for the tools: read at first use, and again before a request where notes have changed. */
function aboutNotes(base: HostBase, main: NotesHost, rights: AccessPolicy, changes: NotesChanges, signal: AbortSignal) {
  const readings: (() => Promise<void>)[] = [];
  const follow = <Item extends string>(list: BackgroundList<Item>): (() => readonly Item[]) => {
    readings.push(readAfterChanges(changes, systemClock.now, list.update));
    return list.current;
  };
  const lists = new WeakMap<NotesHost, () => readonly NoteContents[]>();
  const listOf = (over: NotesHost): (() => readonly NoteContents[]) => {
    const current = follow(backgroundList({ read: (stop) => over.notes.contents(stop), rights, signal }));
    lists.set(over, current);
    inBackground(look());
    return current;
  };
  rights.subscribe(changes.note);
  let embedding = '';
  let server: string | undefined;
  const readServer = readAfterChanges(changes, systemClock.now, async () => {
    server = await meaningServerOf(base, signal);
    return true;
  });
  const languages = follow(backgroundList({ read: (stop) => main.notes.languages(stop), rights, signal }));
  const look = (): Promise<unknown> => Promise.all(readings.map((read) => read()));
  return {
    /** Under the rights of whoever they are for. */
    contentsOf: (over: NotesHost) => lists.get(over) ?? listOf(over),
    search: { languages, meaningServer: () => server },
    /** Resolves when all is known as it is now. `ai`: of SiYuan's configuration. */
    async look(ai: unknown): Promise<void> {
      const now = JSON.stringify(fieldOf(ai, 'embedding')) ?? '';
      if (now !== embedding) {
        server = undefined;
        changes.note();
      }
      embedding = now;
      const isOn = fieldOf(fieldOf(ai, 'embedding'), 'enabled') === true;
      await Promise.all([look(), isOn && server === undefined && readServer()]);
    },
  };
}

interface OrdersParts {
  readonly base: HostBase;
  readonly notes: NotesHost;
  readonly settings: WorkspaceSettings;
  readonly tools: WorkspaceTools;
  readonly named: OrdersOptions['modelNamed'];
  /** Notes under the rights of an order. */
  readonly open: (levels: NotebookLevels | undefined) => NotesHost;
}

function ordersParts({ base, notes, settings, tools, named, open }: OrdersParts): Workspace['orders'] {
  const notesFor = onceForLevels(open);
  return {
    ...{ storage: asChatStorage(base.storage), leaseStorage: base.cache, notes: notes.notes, modelNamed: named, executor: tools.asking },
    settings: () => settings.get(),
    runTools(ports, arrange, levels) {
      const executor = tools.over(notesFor(levels), arrange)(ports);
      tools.applySwitches(executor);
      return executor;
    },
  };
}

/** Wires the same parts as the panel, without a page. Rejects with ToolError if the kernel does not answer. */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const closing = new AbortController();
  const { signal } = closing;
  const { kernel, kernelToken, device } = options;
  const access = createAccessPolicy();
  const client = createKernelClient({ baseUrl: kernel, fetch: openKernelFetch(), token: kernelToken });
  const base = createHostBase({ client, policy: access, clock: systemClock, device });
  const settings = await openWorkspaceSettings(base.storage, systemClock.now);
  followRights(settings, access);
  const siyuan = await readConfiguration(base, signal);
  settleTimeZone(options.zone);
  const { models, named, refresh } = await openModel(base, siyuan, settings, options, signal);
  const connect = socketsTo(kernel, kernelToken);
  const { notes, store, changes } = openNotesAndChats(base, options, connect, signal);
  const notesUnder = (policy: AccessPolicy | undefined): NotesHost =>
    policy ? openNarrowed(base, { client, policy, device }, connect, signal) : notes;
  const about = aboutNotes(base, notes, access, changes, signal);
  await about.look(siyuan.ai);
  const { computer, servers, groups, readPdf } = openBeyondNotes(base, options, settings, siyuan.folder);
  // A server that does not answer holds nobody up.
  const useServers = (): void => inBackground(servers.use(settings.get().mcpServers));
  useServers();
  const ofTools = { search: about.search, contentsOf: about.contentsOf, groups, late: servers.groups, policy: options.policy };
  const tools = openTools({ base, notes, settings, readPdf, ...ofTools });
  const toolsFor = (levels?: NotebookLevels): ProgramTools => {
    const over = notesUnder(levels && narrowedPolicy(access, levels));
    return { executorFactory: tools.over(over), notes: over.notes };
  };
  return {
    ...{ models, toolsFor, applySettings: tools.applySettings },
    orders: ordersParts({ base, notes, settings, tools, named, open: (levels) => notesUnder(levels && narrowedPolicy(access, levels)) }),
    notebooks: () => base.routes.notebooks(signal),
    prompts: () => readPrompts(settings.get().prompts),
    ...{ clock: systemClock, newId, device, timeZone: timeZone() },
    ...{ assets: base.assets, readPdf, onTurn: base.turns.begin },
    executorFactory: tools.over(notes),
    settings: () => settings.get(),
    summaries: async () => summarize,
    findFirst: createFindFirst(notes),
    store,
    history: computer.withFiles(notes.history),
    ...{ problem: settings.problem, logins: servers.logins },
    shownRecords: { storage: asChatStorage(base.storage), days: () => settings.get().activityDays },
    // Once for concurrent requests.
    refresh: joined(async () => {
      const [ai] = await Promise.all([refresh(), settings.reload()]);
      // By the rights that the settings have now.
      await about.look(ai);
      useServers();
    }),
    close() {
      closing.abort();
      notes.close();
      servers.close();
    },
  };
}
