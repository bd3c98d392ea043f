import { afterEach, describe, expect, it, vi } from 'vitest';
import { ACTION_NAMES, DATABASE_ACTION_NAMES } from '../../chat/prompts/editor-actions.ts';
import { EditorEntries } from './editor-entries.ts';

/** Words of SiYuan's own slash commands that hold a word of ours (it looks for what is typed anywhere in them, and shows them first). */
const SIYUAN_WORDS = ['task list', 'todo list'];

const entries = new EditorEntries(
  (key) => key,
  () => undefined,
  () => undefined,
);
const slash = () => entries.slash({ prompts: [{ id: 'shorter', name: 'Shorter', prompt: 'Make it shorter', output: 'replace' }] });

describe('the slash commands', () => {
  it('have a word each that finds nothing else', () => {
    const all = slash();
    for (const { id, filter } of all) {
      const others = [...SIYUAN_WORDS, ...all.filter((other) => other.id !== id).flatMap((other) => other.filter)];
      expect(
        filter.some((word) => others.every((other) => !other.toLowerCase().includes(word.toLowerCase()))),
        id,
      ).toBe(true);
    }
  });

  it('are found together by the name of the plugin', () => {
    const all = slash();
    // Those that change a note, those for databases, `/ask`, and the prompt of the user's own.
    expect(all).toHaveLength(ACTION_NAMES.length + DATABASE_ACTION_NAMES.length + 2);
    for (const word of ['marginalia', '旁批', 'pangpi']) expect(all.filter(({ filter }) => filter.includes(word))).toEqual(all);
  });
});

describe('the menus', () => {
  const label = (place: object): string | undefined => {
    const labels: string[] = [];
    vi.stubGlobal('document', { addEventListener: () => undefined });
    const listeners = new Map<string, (event: object) => void>();
    const bus = { on: (name: string, listener: (event: object) => void) => listeners.set(name, listener) };
    entries.listen(bus as never, 'on');
    const menu = { addItem: ({ submenu = [] }: { submenu?: { label: string }[] }) => labels.push(...submenu.map((one) => one.label)) };
    listeners.get('open-menu-content')?.({ detail: { menu, ...place } });
    return labels[0];
  };
  const block = (id: string): object => ({ getAttribute: () => id, querySelector: () => null });
  afterEach(() => void vi.unstubAllGlobals());

  it('say what is asked about: a block, what is selected in it, or the blocks that a selection reaches over', () => {
    class FakeElement {}
    vi.stubGlobal('Element', FakeElement);
    const [one, two] = [block('one'), block('two')];
    const at = (around: object, words: string): object =>
      Object.assign(new FakeElement(), {
        nodeType: 3,
        nodeValue: words,
        closest: (selector: string) => (selector.includes('data-node-id') ? around : null),
      });
    const protyle = { wysiwyg: { element: { contains: () => true, querySelectorAll: () => [one, two] } } };
    const range = (start: object, end: object, collapsed = false): object => {
      return { startContainer: start, endContainer: end, commonAncestorContainer: start, collapsed, intersectsNode: () => true };
    };
    const [first, last] = [at(one, 'Some words'), at(two, 'More')];
    expect(label({ protyle, element: one, range: range(first, first, true) })).toBe('ask_block');
    expect(label({ protyle, element: one, range: range(first, first) })).toBe('ask_selection');
    expect(label({ protyle, element: one, range: range(first, last) })).toBe('ask_blocks');
  });
});
