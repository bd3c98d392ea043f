import type { AccessPolicy } from '../host/access/access-policy.ts';
import type { PushSource } from '../host/kernel/transaction-log.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import { lazyPart } from '../tools/util/lazy.ts';
import { rememberedContents } from './device-storage.ts';
import type { Notes } from './lazy-notes.ts';
import { backgroundList } from './workspace/background-list.ts';

/** By what is in the notes the tools say and offer other things; `look` reads it, and follows what is pushed from then on. */
export function aboutNotes({ notes }: Notes, settings: SettingsStore, rights: AccessPolicy, pushes: PushSource, signal: AbortSignal) {
  const languages = backgroundList({ read: (stop) => notes.languages(stop), rights, signal });
  const memory = rememberedContents(() => settings.get().notebooks);
  const contents = backgroundList({ read: (stop) => notes.contents(stop), rights, signal, memory });
  const follow = lazyPart(async () => (await import('./follow-contents.ts')).followContents(contents, pushes, signal));
  return {
    forTools: { languages: languages.current, contents: contents.current, onContents: contents.subscribe },
    // Without its file the notes are looked at when they are asked for.
    look: (): Promise<unknown> => Promise.all([languages.refresh(), contents.refresh(), follow().catch(() => undefined)]),
  };
}
