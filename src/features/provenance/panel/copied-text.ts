import { SOURCE_ATTRIBUTE } from '../../../host/blocks/source-attributes.ts';
import type { NotesHost } from '../../../host/notes-host.ts';

const MARKED = `[${SOURCE_ATTRIBUTE}]`;

const attributesOf = (element: Element): Readonly<Record<string, string>> =>
  Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));

/** Blocks that models wrote, with what is selected of them, or with all of their text where more than one is selected. */
function selectedOfModels(): readonly (readonly [block: Element, text: string])[] {
  const all = (block: Element): readonly [Element, string] => [block, block.textContent];
  const blocks = [...document.querySelectorAll('.protyle-wysiwyg .protyle-wysiwyg--select')];
  if (blocks.length > 0)
    return blocks.flatMap((block) =>
      block.closest(MARKED) ? [[block.closest(MARKED) ?? block, block.textContent]] : [...block.querySelectorAll(MARKED)].map(all),
    );
  const selection = document.getSelection();
  const range = selection?.rangeCount ? selection.getRangeAt(0) : undefined;
  const around = range?.commonAncestorContainer;
  const element = around instanceof Element ? around : around?.parentElement;
  if (!selection || !range || !element?.closest('.protyle-wysiwyg')) return [];
  const within = element.closest(MARKED);
  if (within) return [[within, selection.toString()]];
  return [...element.querySelectorAll(MARKED)].filter((block) => range.intersectsNode(block)).map(all);
}

/** What somebody copies or cuts of a model's text is known where it is pasted, though the text carries nothing of it. */
export function watchCopies(hands: NotesHost['hands'], signal: AbortSignal): void {
  const onCopy = (): void => {
    for (const [block, text] of selectedOfModels()) hands.copied(attributesOf(block), text);
  };
  for (const type of ['copy', 'cut']) document.addEventListener(type, onCopy, { capture: true, signal });
}
