import type { KeyValueStore } from '../chat/store/window-registry.ts';
import type { SecretStore } from '../host/settings/device-keys.ts';
import { windowMemory } from '../model/model-window.ts';
import { isModelRef, type ModelRef } from '../model/providers.ts';
import { ToolError } from '../tools/contract/errors.ts';
import { NOTE_CONTENTS, type NoteContents } from '../tools/contract/note-queries.ts';
import { fieldOf } from '../tools/util/plain-value.ts';
import type { CallEvidence } from './workspace/call-memory.ts';

const PREFIX = 'siyuan-marginalia:';

const letters = (length: number): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join('');
};

/** `crypto.randomUUID` is absent over plain HTTP, `getRandomValues` is not. */
export const newId = (): string => `${Date.now().toString(36)}-${letters(10)}`;

/** Uniform in [0, 1). */
export const random = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;

/** Name of this device: two devices never write the same journal file. Made once, kept outside the synced folder. */
export function deviceId(): string {
  const key = `${PREFIX}device`;
  const kept = localStorage.getItem(key);
  if (kept) return kept;
  const made = letters(8);
  localStorage.setItem(key, made);
  return made;
}

/** Keys stay on the device: `data/` is synced to every device. */
export const deviceSecrets: SecretStore = {
  get: (reference) => localStorage.getItem(PREFIX + reference) ?? undefined,
  set(reference, value) {
    try {
      localStorage.setItem(PREFIX + reference, value);
    } catch (error) {
      throw new ToolError(
        'storage_full',
        'the key could not be stored on this device',
        'free some of the browser’s storage',
        String(error),
      );
    }
  },
};

/** Other agents of this machine, which a sync must not bring. */
export const deviceGuests = {
  get: (): string | undefined => deviceSecrets.get('guests'),
  set: (text: string): void => deviceSecrets.set('guests', text),
};

/** Programs of this computer that may come in through the app, with their tokens. */
export const programsHere = {
  get: (): string | undefined => deviceSecrets.get('programs'),
  set: (text: string): void => deviceSecrets.set('programs', text),
  /** Read before anything is loaded. */
  isOn: (): boolean => /"isOn":true/.test(deviceSecrets.get('programs') ?? ''),
};

/** Is off until it is switched on here: a sync must not bring that to another device. `PURE`: the start script leaves out those that it does not read. */
const deviceSwitch = (name: string) => ({
  get: (): boolean => localStorage.getItem(PREFIX + name) === 'on',
  set: (on: boolean): void => (on ? localStorage.setItem(PREFIX + name, 'on') : localStorage.removeItem(PREFIX + name)),
});

/** Whether orders run in this app. */
export const ordersHere = /* @__PURE__ */ deviceSwitch('orders');

/** Whether the tour was opened or refused. */
export const tourSeen = /* @__PURE__ */ deviceSwitch('tour');

/** Whether notes get vectors on this device, and whether making them is paused. */
export const vectorsHere = /* @__PURE__ */ deviceSwitch('vectors');
export const vectorsPaused = /* @__PURE__ */ deviceSwitch('vectors-paused');

/** Texts that are learned again if there is no room for them. */
const learntTexts = (prefix: string) => ({
  get: (key: string) => localStorage.getItem(PREFIX + prefix + key) ?? undefined,
  set(key: string, value: string): void {
    try {
      localStorage.setItem(PREFIX + prefix + key, value);
    } catch {
      // Full: the next refusal teaches it again.
    }
  },
  delete: (key: string) => localStorage.removeItem(PREFIX + prefix + key),
});

/** What is learned about models' windows. */
export const deviceWindows = windowMemory(learntTexts('window:'));

/** What is learned about how models call tools. */
export const deviceCalls: CallEvidence = {
  ...learntTexts('learnt:'),
  clear(): void {
    for (const key of Object.keys(localStorage)) if (key.startsWith(`${PREFIX}learnt:`)) localStorage.removeItem(key);
  },
};

/** Models chosen here, newest first. */
export const recentModels = {
  get(): readonly ModelRef[] {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(`${PREFIX}models`) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isModelRef) : [];
    } catch {
      return [];
    }
  },
  set(refs: readonly ModelRef[]): void {
    try {
      localStorage.setItem(`${PREFIX}models`, JSON.stringify(refs));
    } catch {
      localStorage.removeItem(`${PREFIX}models`); // Storage is full; these are only a convenience.
    }
  },
};

/** Absent over plain HTTP. */
export const pageLocks = (): LockManager | undefined => ('locks' in navigator ? navigator.locks : undefined);

/** Storage shared by the windows of one browser, and kept for the next page. */
export const keyValueStore: KeyValueStore = {
  keys: () => Object.keys(localStorage),
  get: (key) => localStorage.getItem(key),
  set: (key, value) => localStorage.setItem(key, value),
  remove: (key) => localStorage.removeItem(key),
};

/** The workspace of a SiYuan on its own machine; '' if it is not known. */
export const workspaceFolder = (): string => {
  const system: unknown = window.siyuan.config ? Reflect.get(window.siyuan.config, 'system') : undefined;
  return String(Object(system).workspaceDir ?? '');
};

const workspace = (): string => encodeURIComponent(workspaceFolder());

/** The chat that this window shows: a reload keeps it; another window and the next start of the program do not have it. */
export const shownChat = {
  get: (): string | null => sessionStorage.getItem(`${PREFIX}shown:${workspace()}`),
  set(sessionId: string): void {
    try {
      sessionStorage.setItem(`${PREFIX}shown:${workspace()}`, sessionId);
    } catch {
      sessionStorage.removeItem(`${PREFIX}shown:${workspace()}`); // No room: then the chat changed last is opened.
    }
  },
};

/** What readable notes contained when they were last looked at here; unknown under other rights than those of then. */
export const rememberedContents = (rights: () => object) => {
  const key = `${PREFIX}contents:${workspace()}`;
  return {
    get(): readonly NoteContents[] {
      try {
        const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
        if (JSON.stringify(fieldOf(kept, 'rights')) !== JSON.stringify(rights())) return [];
        return NOTE_CONTENTS.filter((each) => Array.from(Object(fieldOf(kept, 'contents'))).includes(each));
      } catch {
        return [];
      }
    },
    set(contents: readonly NoteContents[]): void {
      try {
        localStorage.setItem(key, JSON.stringify({ rights: rights(), contents }));
      } catch {
        localStorage.removeItem(key); // No room: they are looked at with every start.
      }
    },
  };
};

/** What this page had begun to undo or redo, for the page that SiYuan loads in its place. */
export const begunNote = {
  get: (): string | null => sessionStorage.getItem(`${PREFIX}begun:${workspace()}`),
  set(text: string | null): void {
    const key = `${PREFIX}begun:${workspace()}`;
    try {
      if (text === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, text);
    } catch {
      // No room: if the page ends in the middle, the next click continues it.
    }
  },
};

/**
 * Key prefix of notes about unsaved data: two workspaces that are served at one address, one after the other, share the browser's
 * storage.
 */
export function unsavedPrefix(): string {
  return `${PREFIX}unsaved:${workspace()}:`;
}

/** The same for calls that are in no file yet. */
export const callsPrefix = (): string => `${PREFIX}calls:${workspace()}:`;

/** Part of `uninstall()`: nothing of ours stays on the device. */
export const clearDevice = (): void => {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
};
