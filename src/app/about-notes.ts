import type { AccessPolicy } from '../host/access/access-policy.ts';
import type { PushSource } from '../host/kernel/transaction-log.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import { NOTE_CONTENTS, type NoteContents } from '../tools/contract/note-queries.ts';
import { inBackground } from '../tools/util/notify.ts';
import { rememberedContents } from './device-storage.ts';
import type { Notes } from './lazy-notes.ts';
import { backgroundList } from './workspace/background-list.ts';

/** What an operation has in it that may bring the first of them. */
const BRINGS: Readonly<Record<NoteContents, RegExp>> = {
  databases: /AttributeView|AttrView/,
  flashcards: /riff-decks|lashcards/,
  assets: /assets\//,
};
/** Pushes after which there may be other notes. */
const OTHER_NOTES = ['', 'mount', 'syncMergeResult'];
/** Milliseconds in which SiYuan writes what it pushed. */
const SETTLE_MS = 500;

/** By what is in the notes the tools say and offer other things; `look` reads it. What is pushed is looked at by itself. */
export function aboutNotes({ notes }: Notes, settings: SettingsStore, rights: AccessPolicy, pushes: PushSource, signal: AbortSignal) {
  const languages = backgroundList({ read: (stop) => notes.languages(stop), rights, signal });
  const memory = rememberedContents(() => settings.get().notebooks);
  const contents = backgroundList({ read: (stop) => notes.contents(stop), rights, signal, memory });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lookSoon = (): void => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(() => inBackground(contents.update()), SETTLE_MS);
  };
  const stops = [
    pushes.onTransactions(({ operations = [] }) => {
      const missing = NOTE_CONTENTS.filter((kind) => !contents.current().includes(kind));
      const texts = operations.map(({ action, data, attributes }) => `${action} ${data} ${Object.keys(attributes ?? {})}`);
      if (missing.some((kind) => texts.some((text) => BRINGS[kind].test(text)))) lookSoon();
    }),
    pushes.onCommand?.((command) => void (OTHER_NOTES.includes(command) && lookSoon())),
  ];
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    for (const stop of stops) stop?.();
  });
  return {
    forTools: { languages: languages.current, contents: contents.current, onContents: contents.subscribe },
    look: (): Promise<unknown> => Promise.all([languages.refresh(), contents.refresh()]),
  };
}
