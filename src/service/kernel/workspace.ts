import { randomBytes, randomInt } from 'node:crypto';
import { type BackgroundList, backgroundList } from '../../app/workspace/background-list.ts';
import { callMemory } from '../../app/workspace/call-memory.ts';
import { meaningServerOf } from '../../app/workspace/chat-executor.ts';
import type { GuestModels } from '../../app/workspace/chat-model.ts';
import { createChatModel, createSummaryModel, createTitleModel, modelNamed } from '../../app/workspace/chat-model.ts';
import { asChatStorage } from '../../app/workspace/chat-storage.ts';
import { GROUPS } from '../../app/workspace/groups.ts';
import { type NotebookLevels, narrowedPolicy, onceForLevels } from '../../app/workspace/narrowed-policy.ts';
import { createFindFirst } from '../../app/workspace/search-first.ts';
import { systemClock, timeZone } from '../../app/workspace/system-clock.ts';
import { readPrompts } from '../../chat/editor-task/editor-task-prompts.ts';
import { Peers } from '../../chat/store/peers.ts';
import { createChatStore } from '../../chat/store/store.ts';
import { onlyWriter } from '../../chat/store/window-registry.ts';
import { summarize } from '../../chat/turn/summarize.ts';
import { createPageReader, pageProgram } from '../../desktop/web/page-reader.ts';
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
import type { EditingProbe } from '../../tools/contract/ports.ts';
import type { ToolGroup } from '../../tools/index.ts';
import { inBackground } from '../../tools/util/notify.ts';
import { fieldOf } from '../../tools/util/plain-value.ts';
import { joined } from '../../tools/util/turns.ts';
import { BoundSecrets, SEARCH_KEY } from './bound-secrets.ts';
import { openKernelFetch } from './kernel-fetch.ts';
import { openMarkdownEngine } from './lute.ts';
import { followNotes, type NotesChanges, readAfterChanges } from './notes-changes.ts';
import { openPushes, socketsTo } from './pushes.ts';
import { settleTimeZone } from './time-zone.ts';
import { givenAsHostAi, openWorkspaceSettings, type WorkspaceSettings, withGivenModel } from './workspace-settings.ts';
import { openTools, type WorkspaceTools } from './workspace-tools.ts';
import type { ProgramTools, ServiceStart, Unattended, Workspace, WorkspaceFeature, WorkspaceOptions } from './workspace-types.ts';

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
async function openModel({ base, settings, options, signal }: ServiceStart, now: Configuration, guests: GuestModels | undefined) {
  const given = options.model;
  let { conf } = now;
  let ai = given ? givenAsHostAi(given) : now.ai;
  const parts = {
    settings: given ? withGivenModel(settings) : settings,
    hostAi: () => ai,
    served: given ? null : await probeServedModels(options.kernel, ai, fetch, signal),
    guests: given ? undefined : guests,
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

/** What features are opened with. `siyuan`: its workspace, if it is on this machine. */
function startOf(
  base: HostBase,
  options: WorkspaceOptions,
  settings: WorkspaceSettings,
  siyuan: string | undefined,
  signal: AbortSignal,
): ServiceStart {
  const reported = new Set<string>();
  const report = (problem: string): void => {
    if (!reported.has(problem)) options.onProblem?.(problem);
    reported.add(problem);
  };
  const environment = { ...process.env, [SEARCH_KEY]: options.searchKey };
  const secrets = new BoundSecrets(options.data, environment, options.allowedSecrets);
  return { ...{ base, options, settings, secrets, siyuan, report, signal }, reader: createPageReader({ program: pageProgram() }) };
}

/** Their groups of tools, with those that both programs have. */
const groupsOf =
  (features: readonly WorkspaceFeature[], { base: { data }, settings }: ServiceStart) =>
  (over: NotesHost): readonly ToolGroup[] => [
    ...features.flatMap(({ groups }) => groups?.(over) ?? []),
    ...GROUPS.map((open) => open({ notes: over.notes, settings, data })),
    ...lateGroups(features),
  ];

const lateGroups = (features: readonly WorkspaceFeature[]): readonly ToolGroup[] => features.flatMap(({ late }) => late?.() ?? []);

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

interface UnattendedParts {
  readonly base: HostBase;
  readonly notes: NotesHost;
  readonly settings: WorkspaceSettings;
  readonly tools: WorkspaceTools;
  readonly named: Unattended['modelNamed'];
  /** Notes under narrower rights. */
  readonly open: (levels: NotebookLevels | undefined) => NotesHost;
}

function unattendedParts({ base, notes, settings, tools, named, open }: UnattendedParts): Unattended {
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
export async function openWorkspace(
  options: WorkspaceOptions,
  startFeatures: (start: ServiceStart) => readonly WorkspaceFeature[],
): Promise<Workspace> {
  const [closing, { kernel, kernelToken, device }] = [new AbortController(), options];
  const { signal } = closing;
  const access = createAccessPolicy();
  const client = createKernelClient({ baseUrl: kernel, fetch: openKernelFetch(), token: kernelToken });
  const base = createHostBase({ client, policy: access, clock: systemClock, device });
  const settings = await openWorkspaceSettings(base.storage, systemClock.now);
  followRights(settings, access);
  const siyuan = await readConfiguration(base, signal);
  settleTimeZone(options.zone);
  const start = startOf(base, options, settings, siyuan.folder, signal);
  const features = startFeatures(start);
  const { models, named, refresh } = await openModel(start, siyuan, features.find((each) => each.models)?.models);
  const connect = socketsTo(kernel, kernelToken);
  const { notes, store, changes } = openNotesAndChats(base, options, connect, signal);
  const under = (policy: AccessPolicy): NotesHost => openNarrowed(base, { client, policy, device }, connect, signal);
  const notesAt = (levels?: NotebookLevels): NotesHost => (levels ? under(narrowedPolicy(access, levels)) : notes);
  const about = aboutNotes(base, notes, access, changes, signal);
  await about.look(siyuan.ai);
  const { readPdf } = start.reader;
  const ofTools = {
    search: about.search,
    contentsOf: about.contentsOf,
    groups: groupsOf(features, start),
    late: () => lateGroups(features),
    policy: options.policy,
  };
  const tools = openTools({ base, notes, settings, readPdf, ...ofTools });
  const toolsFor = (levels?: NotebookLevels): ProgramTools => {
    const over = notesAt(levels);
    return { executorFactory: tools.over(over), notes: over.notes };
  };
  return {
    ...{ models, toolsFor, applySettings: tools.applySettings },
    unattended: unattendedParts({ base, notes, settings, tools, named, open: notesAt }),
    notebooks: () => base.routes.notebooks(signal),
    prompts: () => readPrompts(settings.get().prompts),
    ...{ clock: systemClock, newId, device, timeZone: timeZone(), assets: base.assets, readPdf, onTurn: base.turns.begin },
    executorFactory: tools.over(notes),
    settings: () => settings.get(),
    ...{ summaries: async () => summarize, findFirst: createFindFirst(notes), store },
    history: features.reduce((joined, { history }) => history?.(joined) ?? joined, notes.history),
    problem: settings.problem,
    shownRecords: { storage: asChatStorage(base.storage), days: () => settings.get().activityDays },
    // Once for concurrent requests; what is known of notes is read by the rights that the settings have then.
    refresh: joined(async () => {
      const [ai] = await Promise.all([refresh(), settings.reload()]);
      await about.look(ai);
      for (const feature of features) feature.refresh?.();
    }),
    close() {
      closing.abort();
      notes.close();
      for (const feature of features) feature.close?.();
    },
  };
}
