import { editorInUse, noteInEditor } from '../note-choices.ts';
import type { PanelHost } from '../panel-host.ts';
import { wordsOfBlock, wordsOfRange } from './selected-text.ts';

interface Selected {
  readonly id: string;
  readonly text: string;
  /** Every block that the selection touches: it may contain words of each of them. */
  readonly blocks: readonly string[];
}

/** The selection in the last used editor. */
export interface EditorSelection {
  /** Undefined if nothing is selected. */
  now(): Selected | undefined;
  /** Changes whenever another note is open or other words are selected. */
  mark(): string;
}

type Siyuan = Pick<PanelHost, 'siyuan'>;

const idOf = (block: Element): string => block.getAttribute('data-node-id') ?? '';
const editorElement = (host: Siyuan): HTMLElement | undefined => editorInUse(host)?.protyle.wysiwyg?.element;

/** Blocks that are selected as a whole, for example by dragging the mouse over several. */
const selectedBlocks = (host: Siyuan): readonly Element[] => [
  ...(editorElement(host)?.querySelectorAll('.protyle-wysiwyg--select[data-node-id]') ?? []),
];

function ofBlocks(blocks: readonly Element[]): Selected | undefined {
  const text = blocks
    .map(wordsOfBlock)
    .filter((each) => each !== '')
    .join('\n\n');
  const [id] = blocks.map(idOf);
  return id && text !== '' ? { id, text, blocks: blocks.map(idOf) } : undefined;
}

function ofRange(host: Siyuan, range: Range): Selected | undefined {
  const text = wordsOfRange(range);
  const { startContainer: at } = range;
  const id = (at instanceof Element ? at : at.parentElement)?.closest('[data-node-id]')?.getAttribute('data-node-id');
  if (!id || text === '') return undefined;
  const touched = [...(editorElement(host)?.querySelectorAll('[data-node-id]') ?? [])].filter((block) => range.intersectsNode(block));
  // A block in a container has the rights of the container, too.
  const leaves = touched.filter((block) => !touched.some((other) => other !== block && block.contains(other)));
  return { id, text, blocks: [...new Set([id, ...leaves.map(idOf)])] };
}

/** Follows the selection: the editor remembers that of a mouse, but not every selection by keyboard, once the panel has the focus. */
export function followSelection(
  host: Siyuan,
  page: Pick<Document, 'addEventListener' | 'getSelection'>,
  signal: AbortSignal,
): EditorSelection {
  let last: Range | undefined;
  const onselectionchange = (): void => {
    const selection = page.getSelection();
    const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
    if (range && editorElement(host)?.contains(range.startContainer)) last = range.cloneRange();
  };
  page.addEventListener('selectionchange', onselectionchange, { signal });
  const range = (): Range | undefined => {
    const text = editorElement(host);
    return [last, editorInUse(host)?.protyle.toolbar?.range].find((each) => each && text?.contains(each.startContainer));
  };
  const words = (each: Range | undefined): string => (each ? wordsOfRange(each) : '');
  return {
    now() {
      const blocks = selectedBlocks(host);
      const selected = blocks.length > 0 ? undefined : range();
      return selected ? ofRange(host, selected) : ofBlocks(blocks);
    },
    mark: () => [noteInEditor(host)?.id, words(range()), ...selectedBlocks(host).map(idOf)].join('\n'),
  };
}
