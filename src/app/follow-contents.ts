// A file of its own in the built plugin: loaded once the panel is idle.
import type { PushSource } from '../host/kernel/transaction-log.ts';
import { NOTE_CONTENTS, type NoteContents } from '../tools/contract/note-queries.ts';
import { inBackground } from '../tools/util/notify.ts';
import type { BackgroundList } from './workspace/background-list.ts';

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

/** Reads what is in the notes again when something of a kind that was not there is pushed. */
export function followContents(
  contents: Pick<BackgroundList<NoteContents>, 'current' | 'update'>,
  pushes: PushSource,
  signal: AbortSignal,
) {
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
}
