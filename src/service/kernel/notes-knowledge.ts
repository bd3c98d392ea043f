import { type BackgroundList, backgroundList } from '../../app/workspace/background-list.ts';
import { meaningServerOf } from '../../app/workspace/chat-executor.ts';
import { systemClock } from '../../app/workspace/system-clock.ts';
import type { NotesHost } from '../../host/notes-host.ts';
import type { NoteContents } from '../../tools/contract/note-queries.ts';
import { inBackground } from '../../tools/util/notify.ts';
import { fieldOf } from '../../tools/util/plain-value.ts';
import { type NotesChanges, readAfterChanges } from './notes-changes.ts';
import type { WorkspaceHost } from './workspace-host.ts';

/** What is known of the notes for the tools: read at first use, and again before a request where notes have changed. */
export function notesKnowledge({ base, rights }: WorkspaceHost, main: NotesHost, changes: NotesChanges, signal: AbortSignal) {
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
