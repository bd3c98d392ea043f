import type { EditingProbe } from '../../tools/contract/ports.ts';

/** The editor sends typed text about a quarter of a second after the last key; a second is safely more. */
const QUIET_MS = 1000;
const POLL_MS = 100;

/** Asks in a place of its own if the write is about that; undefined otherwise. */
type AskTyping = (blockIds: readonly string[], signal: AbortSignal) => Promise<'write' | 'cancel'> | undefined;

export interface BrowserEditingProbe extends EditingProbe {
  /** Before the question that the probe was made with. */
  askFirst(ask: AskTyping): void;
  dispose(): void;
}

/** Ids of the block around a node of an editor and of its parents, innermost first; empty outside editors. */
function blocksAround(node: Node | null): string[] {
  const ids: string[] = [];
  let element = node instanceof Element ? node : (node?.parentElement ?? null);
  if (!element?.closest('.protyle-wysiwyg')) return ids;
  for (; element && !element.classList.contains('protyle-wysiwyg'); element = element.parentElement) {
    const id = element.getAttribute('data-node-id');
    if (id) ids.push(id);
  }
  return ids;
}

/** Resolves when the condition holds; rejects with the signal's reason. */
function until(ready: () => boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = (): void => {
      if (signal.aborted) finish(() => reject(signal.reason));
      else if (ready()) finish(resolve);
    };
    const timer = setInterval(check, POLL_MS);
    const finish = (settle: () => void): void => {
      clearInterval(timer);
      signal.removeEventListener('abort', check);
      settle();
    };
    signal.addEventListener('abort', check);
    check();
  });
}

/**
 * Watches the editors of this window: a block counts as being edited while a
 * focused editor's caret is in it, and for a second after something was typed in it, since until then the editor may
 * still have text that the kernel does not know. `ask` covers the page and takes the focus: the caret is gone because of it, and only an
 * answer ends it.
 */
export function createEditingProbe(
  ask: (blockIds: readonly string[], signal: AbortSignal) => Promise<'write' | 'cancel'>,
  now: () => number = Date.now,
): BrowserEditingProbe {
  let typed: { readonly ids: readonly string[]; readonly time: number } = { ids: [], time: 0 };
  const onInput = (event: Event): void => {
    // Typing in the panel leaves the document's selection where it was: in the editor.
    if (!(event.target instanceof Element && event.target.closest('.protyle-wysiwyg'))) return;
    const ids = blocksAround(document.getSelection()?.anchorNode ?? null);
    if (ids.length) typed = { ids, time: now() };
  };
  document.addEventListener('input', onInput, true);
  document.addEventListener('compositionupdate', onInput, true);
  const caretIn = (): readonly string[] => {
    const inEditor = document.activeElement?.closest('.protyle-wysiwyg');
    return inEditor ? blocksAround(document.getSelection()?.anchorNode ?? null) : [];
  };
  const caretBlocks = (): readonly string[] => {
    const fresh = now() - typed.time < QUIET_MS ? typed.ids : [];
    return [...new Set([...caretIn(), ...fresh])];
  };
  const first: AskTyping[] = [];
  let modals = 0;
  const isOneOf = (blockIds: readonly string[], editing: readonly string[]): boolean => blockIds.some((id) => editing.includes(id));
  return {
    caretBlocks,
    askFirst: (each) => void first.push(each),
    whenLeft: (blockIds, signal) => until(() => modals === 0 && !isOneOf(blockIds, caretBlocks()), signal),
    async ask(blockIds, signal) {
      // If the caret has left already, the editor only has to send what was typed: `whenLeft` resolves before anybody is asked.
      await until(() => isOneOf(blockIds, caretIn()), signal);
      for (const each of first) {
        const own = each(blockIds, signal);
        if (own !== undefined) return own;
      }
      const answer = ask(blockIds, signal);
      modals++;
      try {
        return await answer;
      } finally {
        modals--;
      }
    },
    dispose() {
      document.removeEventListener('input', onInput, true);
      document.removeEventListener('compositionupdate', onInput, true);
    },
  };
}
