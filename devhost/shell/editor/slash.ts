import { create } from '../core/dom.ts';
import { app, siyuan } from '../core/state.ts';
import { type TextKey, text } from '../core/texts.ts';
import { callSafely } from '../layout/custom.ts';
import { closestBlock, codeHtml, editableOf, headingHtml, idOf, paragraphHtml, taskListHtml } from './blocks.ts';
import { focusBlock, selectionRange, selectRange } from './caret.ts';
import { replaceBlock } from './structure.ts';
import type { ProtyleState } from './types.ts';

interface Entry {
  filter: string[];
  html: string;
  value: string;
  run: (block: HTMLElement) => void;
}

/** The "/" menu: a few block kinds of the shell and every plugin's `protyleSlash`. */
export class Slash {
  private readonly protyle: ProtyleState;
  private readonly element: HTMLElement;
  private entries: Entry[] = [];
  private current = 0;
  private range: Range | undefined;

  constructor(protyle: ProtyleState) {
    this.protyle = protyle;
    this.element = protyle.hint.element;
    this.element.addEventListener('mousedown', (event) => event.preventDefault()); // the caret stays in the text
  }

  get isShown(): boolean {
    return !this.element.classList.contains('fn__none');
  }

  /** Looks at the text before the caret and shows, filters or hides the menu. */
  update(): void {
    const range = selectionRange(this.protyle.wysiwyg.element);
    const node = range?.startContainer;
    if (!range?.collapsed || !(node instanceof Text) || !this.protyle.hint.enableSlash) {
      this.hide();
      return;
    }
    const match = /(?:^|[\s\u200b\p{P}\p{Script=Han}])([/、]([^\s/、]*))$/u.exec(node.data.slice(0, range.startOffset));
    const block = closestBlock(node);
    if (!match?.[1] || !block || block.getAttribute('data-type') === 'NodeCodeBlock') {
      this.hide();
      return;
    }
    const start = range.startOffset - match[1].length;
    this.range = document.createRange();
    this.range.setStart(node, start);
    this.range.setEnd(node, range.startOffset);
    this.protyle.hint.lastIndex = start;
    this.protyle.hint.splitChar = match[1].slice(0, 1);
    this.show(match[2] ?? '');
  }

  /** Arrow keys, Enter, Tab and Escape while the menu is open. */
  onKey(event: KeyboardEvent): boolean {
    if (!this.isShown) return false;
    const count = this.entries.length;
    if (event.key === 'ArrowDown') this.mark((this.current + 1) % count);
    else if (event.key === 'ArrowUp') this.mark((this.current + count - 1) % count);
    else if (event.key === 'Enter' || event.key === 'Tab') this.choose(this.entries[this.current]);
    else if (event.key === 'Escape') this.hide();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  hide(): void {
    this.element.classList.add('fn__none');
  }

  private show(key: string): void {
    const wanted = key.toLowerCase();
    this.entries = allEntries(this.protyle).filter(
      (entry) => wanted === '' || entry.filter.some((word) => word.toLowerCase().includes(wanted)),
    );
    if (this.entries.length === 0) {
      this.hide();
      return;
    }
    this.element.replaceChildren(
      ...this.entries.map((entry) => {
        const button = create('button', 'b3-list-item b3-list-item--two', { type: 'button', role: 'option', 'data-value': entry.value });
        button.innerHTML = entry.html;
        button.addEventListener('click', () => this.choose(entry));
        return button;
      }),
    );
    this.mark(0);
    this.element.classList.remove('fn__none');
    this.element.style.zIndex = String(++siyuan.zIndex);
    const at = this.range?.getBoundingClientRect();
    const size = this.element.getBoundingClientRect();
    if (!at) return;
    const below = at.bottom + 4 + size.height < innerHeight;
    this.element.style.top = `${below ? at.bottom + 4 : Math.max(4, at.top - size.height - 4)}px`;
    this.element.style.left = `${Math.min(at.left, innerWidth - size.width - 8)}px`;
  }

  private mark(index: number): void {
    this.current = index;
    [...this.element.children].forEach((child, at) => {
      child.classList.toggle('b3-list-item--focus', at === index);
      if (at === index) child.scrollIntoView({ block: 'nearest' });
    });
  }

  /** Runs an entry: the selection and `toolbar.range` hold "/query", the callback replaces it. */
  private choose(entry: Entry | undefined): void {
    const block = closestBlock(this.range?.startContainer ?? null);
    this.hide();
    if (!entry || !block || !this.range) return;
    this.protyle.toolbar.range = this.range;
    selectRange(this.range);
    entry.run(block);
  }
}

function allEntries(protyle: ProtyleState): Entry[] {
  const plugins = app.plugins.flatMap((plugin) =>
    plugin.protyleSlash.map((slash) => ({
      filter: slash.filter,
      html: slash.html,
      value: `plugin\u200b${plugin.name}\u200b${slash.id}`,
      run: (block: HTMLElement) => callSafely(`slash ${slash.id}`, () => slash.callback(protyle.getInstance(), block)),
    })),
  );
  return [...ownEntries(protyle), ...plugins];
}

function ownEntries(protyle: ProtyleState): Entry[] {
  const make = (key: TextKey, iconId: string, words: string[], html: (inner: string, id: string) => string, suffix = ''): Entry => ({
    filter: [text(key) + suffix, ...words],
    value: key + suffix,
    html: `<div class="b3-list-item__first"><svg class="b3-list-item__graphic"><use href="#${iconId}"></use></svg><span class="b3-list-item__text">${text(key)}${suffix}</span></div>`,
    run: (block) => {
      const typed = protyle.toolbar.range;
      typed.deleteContents();
      focusBlock(replaceBlock(protyle, block, html(editableOf(block)?.innerHTML ?? '', idOf(block))), false);
    },
  });
  const headings = [1, 2, 3].map((level) =>
    make(
      'heading',
      `iconH${level}`,
      [`h${level}`, `heading${level}`, `bt${level}`],
      (inner, id) => headingHtml(level, inner, id),
      ` ${level}`,
    ),
  );
  return [
    ...headings,
    make('paragraph', 'iconParagraph', ['paragraph', 'dl'], paragraphHtml),
    // SiYuan finds it by these words too, before any command of a plugin.
    make('check', 'iconCheck', ['task list', 'todo list', 'rwlb'], taskListHtml),
    make('code', 'iconCode', ['code', 'dm'], (_inner, id) => codeHtml('', id)),
  ];
}
