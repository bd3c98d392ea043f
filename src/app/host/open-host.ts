import type { createActivityFiles } from '../../chat/activity/activity-files.ts';
import type { Summarize } from '../../chat/turn/summarize.ts';
import { createAccessPolicy } from '../../host/access/access-policy.ts';
import { createHostBase, type HostBase } from '../../host/host-base.ts';
import { createKernelClient } from '../../host/kernel/kernel-client.ts';
import { KernelWaits } from '../../host/kernel/kernel-waits.ts';
import { commandOf, OUR_SESSIONS, type PushSource, readTransactionsPush } from '../../host/kernel/transaction-log.ts';
import type { SettingsStore } from '../../host/settings/settings.ts';
import type { Ledger, LedgerOptions } from '../../model/budget/ledger.ts';
import { lazyMethods, lazyPart } from '../../tools/util/lazy.ts';
import { loadMessages } from '../../ui/answer/lazy-messages.ts';
import { loadPages } from '../../ui/panel/lazy-pages.ts';
import type { Translate } from '../../ui/ports/i18n.ts';
import { begunNote, deviceId, newId, pageLocks, random, workspaceFolder } from '../device-storage.ts';
import { createEditingProbe } from '../editor/editing-probe.ts';
import { loadDesktop } from '../groups/lazy-desktop.ts';
import { createFormulaCheck } from '../host-drawing.ts';
import { askUser, whenIdle } from '../host-ui.ts';
import { lazyNotes, type Notes } from '../lazy-notes.ts';
import { notesUnder } from '../notes-under.ts';
import { watchPageEnd } from '../page-end.ts';
import type { PanelHost } from '../panel-host.ts';
import { resumeHistory } from '../resumed-history.ts';
import { untilClosed } from '../until-closed.ts';
import type { ChatModelDeps } from '../workspace/chat-model.ts';
import { systemClock as clock } from '../workspace/system-clock.ts';

/** Pushes of the host's main socket, which the host itself reconnects. */
export function pushSource(host: PanelHost): PushSource {
  const listen = (take: (message: unknown) => void): (() => void) => {
    const onMessage = (event: CustomEvent<unknown>): void => take(event.detail);
    host.plugin.eventBus.on('ws-main', onMessage);
    return () => host.plugin.eventBus.off('ws-main', onMessage);
  };
  return {
    onTransactions: (listener) =>
      listen((message) => {
        const push = readTransactionsPush(message);
        if (push) listener(push);
      }),
    onCommand: (listener) => listen((message) => listener(commandOf(message))),
    hears: () => true,
  };
}

/** The windows of a device are serialized; without locks each has files of its own. */
function ledgerOptions({ storage }: HostBase): LedgerOptions {
  const locks = pageLocks();
  return {
    storage: {
      read: (path) => storage.read(path),
      write: (path, text) => storage.write(path, text),
      list: async (folder) => (await storage.list(folder)).map(({ name }) => name),
    },
    device: deviceId(),
    now: clock.now,
    ...(locks ? { exclusive: (work) => locks.request('siyuan-marginalia:usage', work) } : { window: newId().slice(-10) }),
  };
}

/** The kernel behind its two checks: rights and write path, which waits while the user is typing. */
export function openHost(host: PanelHost, t: Translate, signal: AbortSignal) {
  const policy = createAccessPolicy();
  const probe = createEditingProbe(async (_ids, signal) => {
    const question = { title: t('typing.title'), text: t('typing.text'), action: t('typing.write'), cancel: t('action.cancel') };
    return (await askUser(host, question, signal)) ? 'write' : 'cancel';
  });
  signal.addEventListener('abort', () => probe.dispose());
  const waits = new KernelWaits();
  const base = createHostBase({
    client: createKernelClient({ baseUrl: '', fetch: fetch.bind(window), onRequest: waits.begin }),
    policy,
    clock,
    device: deviceId(),
  });
  const pushes = pushSource(host);
  const load = untilClosed(() => import('../notes-and-model.ts'), signal);
  const openOver = async (over: HostBase) => {
    const { createMarkdownEngine, createNotesHost, flashing } = await load();
    const made = createNotesHost({
      ...{ base: over, probe, random },
      engine: createMarkdownEngine(window.Lute),
      pushes,
      session: `${OUR_SESSIONS}${newId()}`,
      checkFormula: createFormulaCheck(host.siyuan.ProtyleMethod, signal),
    });
    signal.addEventListener('abort', () => made.close());
    return flashing(made, signal);
  };
  const makeNotes = lazyPart(() => openOver(base));
  const makeLedger = lazyPart(async () => (await load()).createLedger(ledgerOptions(base)));
  const loadModel: Pick<ChatModelDeps, 'load' | 'loadMedia' | 'ledger'> = {
    ledger: {
      underway: new Set(),
      ...lazyMethods<Omit<Ledger, 'underway'>>(makeLedger, { add: true, spent: true, report: true, startAnew: true }),
    },
    load: async (protocol) => (await load()).loadModel(protocol, () => window.siyuan.config),
    // Rarely needed: a separate file.
    loadMedia: untilClosed(async () => {
      const { createOpenAIMedia } = await import('../../model/media/openai-media.ts');
      return (options) => createOpenAIMedia({ ...options, hostConfig: () => window.siyuan.config });
    }, signal),
  };
  // They will be needed soon, and nobody waits for them now; if they cannot be loaded, their user gets the error.
  const prepare = (more: () => Promise<void>): Promise<unknown> =>
    whenIdle().then(() => Promise.allSettled([loadMessages(), makeNotes(), loadPages(), more()]));
  const loadSummarize = async (): Promise<Summarize> => (await load()).summarize;
  const loadActivity = async (): Promise<typeof createActivityFiles> => (await load()).createActivityFiles;
  const lazy = {
    ...{ loadSummarize, loadActivity },
    loadGroups: async () => (await load()).LATE_GROUPS,
    loadChoices: async () => (await load()).choices,
    loadEditor: load,
    notesUnder: notesUnder(base, openOver),
  };
  return { policy, probe, base, pushes, waits, notes: lazyNotes(base, makeNotes), prepare, loadModel, lazy };
}

/** Notes whose Undo continues across a reload; in the desktop app it undoes files too, and there are more groups of tools. */
export async function withDesktop(notes: Notes, settings: SettingsStore, signal: AbortSignal) {
  const folders = (): readonly string[] => settings.get().folders;
  const desktop = await loadDesktop({ workspace: workspaceFolder(), folders, now: clock.now, kernel: location.origin });
  const history = desktop?.history(notes.history) ?? notes.history;
  const pageStays = watchPageEnd(signal).stays;
  return { notes: { ...notes, history: resumeHistory(history, { note: begunNote, pageStays, signal }) }, desktop };
}
