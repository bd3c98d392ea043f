import type { SavedAnswers } from '../../../tools/contract/saved-answers.ts';

/** Two lines, where the mark of what nobody has read is one (panel.css): a colour alone says nothing to some. */
const LINES =
  'box-shadow: -4px 0 0 -2px var(--b3-card-warning-color), -6px 0 0 -2px var(--b3-theme-background), -8px 0 0 -2px var(--b3-card-warning-color) !important';

const rule = (ids: ReadonlySet<string>): string => {
  if (ids.size === 0) return '';
  const blocks = [...ids].map((id) => `[data-node-id="${CSS.escape(id)}"]`).join(', ');
  return `html:not(.marginalia-unmarked) .protyle-wysiwyg :is(${blocks}) { ${LINES}; }`;
};

/** Marks answers in the editor's margin whose sources changed: by a style sheet of the page, so that no block changes. */
export function markOutdated(answers: SavedAnswers, signal: AbortSignal): void {
  // The plugin may be gone before its file is there: nothing would take the style out again.
  if (signal.aborted) return;
  const style = document.createElement('style');
  style.dataset.marginalia = 'outdated';
  document.head.append(style);
  const draw = (): void => {
    style.textContent = rule(answers.outdated());
  };
  const stop = answers.subscribe(draw);
  signal.addEventListener('abort', () => {
    stop();
    style.remove();
  });
  // What cannot be asked now is not marked: the page "Written by models" says why when it is opened.
  answers.open(signal).catch(() => undefined);
}
