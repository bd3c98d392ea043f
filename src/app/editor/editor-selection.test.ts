import { afterEach, describe, expect, it, vi } from 'vitest';
import { noteInEditor } from '../note-choices.ts';
import { followSelection } from './editor-selection.ts';

class FakeElement {
  readonly nodeType = 1;
  readonly childNodes: readonly object[] = [];
  readonly className = '';
  matches = (): boolean => false;
  hasAttribute = (): boolean => false;
  closest(selector: string): unknown {
    return selector.includes('data-node-id') ? item : null;
  }
}
/** An element that holds words. */
const holding = (words: string): FakeElement => Object.assign(new FakeElement(), { childNodes: [{ nodeType: 3, nodeValue: words }] });
afterEach(() => void vi.unstubAllGlobals());

const block = (id: string, holds: readonly string[] = []): object => ({
  id,
  getAttribute: () => id,
  contains: (other: { id: string }) => other.id === id || holds.includes(other.id),
  matches: () => false,
  querySelectorAll: () => [holding(`Words of ${id}\u200b`)],
});
const [list, item, last] = [block('list', ['item']), block('item'), block('last')];

/** An editor that remembers `kept`, with blocks that are selected whole. */
function editor(kept: string, whole: readonly object[] = []) {
  vi.stubGlobal('Element', FakeElement);
  const range = (words: string): object => {
    const at = holding(words);
    const made = { startContainer: at, endContainer: at, commonAncestorContainer: at, intersectsNode: (node: object) => node !== last };
    return { ...made, cloneRange: () => made };
  };
  const listeners: (() => void)[] = [];
  let live: object | undefined;
  const page = {
    addEventListener: (_name: string, listener: () => void) => listeners.push(listener),
    getSelection: () => ({ rangeCount: live ? 1 : 0, getRangeAt: () => live }),
  };
  const find = (selector: string): readonly object[] => (selector.includes('select') ? whole : [list ?? {}, item ?? {}, last ?? {}]);
  const wysiwyg = { element: { contains: () => true, querySelectorAll: find } };
  const protyle = { toolbar: { range: range(kept) }, wysiwyg, block: { rootID: 'doc' }, element: { getClientRects: () => [{}] } };
  const host = { siyuan: { getActiveEditor: () => ({ protyle }), getAllEditor: () => [] } };
  const selection = followSelection(host as never, page as never, new AbortController().signal);
  return {
    selection,
    select(words: string): void {
      live = range(words);
      for (const listener of listeners) listener();
      live = undefined;
    },
  };
}

describe('what is selected', () => {
  it('names each block that it touches, not the containers around them', () => {
    expect(editor('Some words').selection.now()).toEqual({ id: 'item', text: 'Some words', blocks: ['item'] });
    expect(editor('\u200b').selection.now()).toBeUndefined();
  });

  it('is what was selected last, by keys too, which the editor does not remember', () => {
    const { selection, select } = editor('');
    const before = selection.mark();
    select('By keys');
    expect([selection.now()?.text, selection.mark() === before]).toEqual(['By keys', false]);
    select('');
    expect(selection.now()).toBeUndefined();
  });

  it('are whole blocks where those are selected', () => {
    const { selection } = editor('Some words', [item ?? {}, last ?? {}]);
    expect(selection.now()).toEqual({ id: 'item', text: 'Words of item\n\nWords of last', blocks: ['item', 'last'] });
  });
});

it('the note in use is the one that is seen, wherever the selection was left', () => {
  const editor = (rootID: string, seen: boolean) => ({
    protyle: { block: { rootID }, element: { getClientRects: () => (seen ? [{}] : []), closest: () => null } },
  });
  const [behind, front] = [editor('behind', false), editor('front', true)];
  const host = (active: unknown, all: readonly unknown[]) =>
    ({ siyuan: { getActiveEditor: () => active, getAllEditor: () => all } }) as never;
  expect(noteInEditor(host(behind, [behind, front]))?.id).toBe('front');
  // On a phone the panel covers all of them.
  expect(noteInEditor(host(behind, [behind]))?.id).toBe('behind');
});
