import type { AccessPolicy } from '../host/access/access-policy.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import { rememberedContents } from './device-storage.ts';
import type { Notes } from './lazy-notes.ts';
import { backgroundList } from './workspace/background-list.ts';

/** By what is in the notes the tools say and offer other things; `look` reads it. */
export function aboutNotes({ notes }: Notes, settings: SettingsStore, rights: AccessPolicy, signal: AbortSignal) {
  const languages = backgroundList({ read: (stop) => notes.languages(stop), rights, signal });
  const memory = rememberedContents(() => settings.get().notebooks);
  const contents = backgroundList({ read: (stop) => notes.contents(stop), rights, signal, memory });
  return {
    forTools: { languages: languages.current, contents: contents.current, onContents: contents.subscribe },
    look: (): Promise<unknown> => Promise.all([languages.refresh(), contents.refresh()]),
  };
}
