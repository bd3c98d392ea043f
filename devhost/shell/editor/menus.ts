import { call } from '../core/http.ts';
import { text } from '../core/texts.ts';
import type { Position } from '../core/types.ts';
import { copyText } from '../ui/clipboard.ts';
import { commonMenu, emitOpenMenu, openMenu } from '../ui/menu.ts';
import { editableOf, headingHtml, idOf, paragraphHtml, typeOf } from './blocks.ts';
import { focusBlock } from './caret.ts';
import { deleteBlock, replaceBlock } from './structure.ts';
import type { ProtyleState } from './types.ts';

/** The menu of a block's icon; plugins add to it by `click-blockicon`. */
export function openBlockMenu(protyle: ProtyleState, block: HTMLElement, position: Position): void {
  const menu = commonMenu();
  menu.remove();
  const id = idOf(block);
  if (/NodeParagraph|NodeHeading/.test(typeOf(block))) {
    const turn = (html: (inner: string) => string) => () => {
      focusBlock(replaceBlock(protyle, block, html(editableOf(block)?.innerHTML ?? '')), false);
    };
    const headings = [1, 2, 3, 4, 5, 6].map((level) => ({
      icon: `iconH${level}`,
      label: `${text('heading')} ${level}`,
      click: turn((inner) => headingHtml(level, inner, id)),
    }));
    const paragraph = { icon: 'iconParagraph', label: text('paragraph'), click: turn((inner) => paragraphHtml(inner, id)) };
    menu.addItem({ id: 'turnInto', icon: 'iconRefresh', label: text('turnInto'), type: 'submenu', submenu: [paragraph, ...headings] });
  }
  menu.addItem({ id: 'copyText', icon: 'iconCopy', label: text('copyText'), click: () => void copyText(block.innerText.trim()) });
  menu.addItem({ id: 'copyId', icon: 'iconRef', label: text('copyBlockId'), click: () => void copyText(id) });
  menu.addItem({
    id: 'copyRef',
    icon: 'iconLink',
    label: text('copyBlockRef'),
    click: () => void copyText(`((${id} '${block.innerText.trim().slice(0, 24)}'))`),
  });
  menu.addItem({ id: 'delete', icon: 'iconTrashcan', label: text('delete'), click: () => deleteBlock(protyle, block) });
  menu.addItem({ type: 'separator', id: 'separator_1' });
  emitOpenMenu('click-blockicon', { protyle, blockElements: [block] }, 'bottom');
  addTime(block.getAttribute('updated'));
  openMenu(position);
}

/** The menu of the document's icon; plugins add to it by `click-editortitleicon`. */
export async function openTitleMenu(protyle: ProtyleState, position: Position): Promise<void> {
  const data = await call<{ ial?: Record<string, string> }>('/api/block/getDocInfo', { id: protyle.block.rootID });
  const menu = commonMenu();
  menu.remove();
  menu.addItem({ id: 'copyId', icon: 'iconCopy', label: text('copyBlockId'), click: () => void copyText(protyle.block.rootID) });
  menu.addItem({ id: 'refresh', icon: 'iconRefresh', label: text('refresh'), click: () => void protyle.getInstance().reload() });
  menu.addItem({ type: 'separator', id: 'separator_4' });
  const fallback = { id: protyle.block.rootID, rootID: protyle.block.rootID, name: protyle.title.editElement.textContent ?? '', ial: {} };
  emitOpenMenu('click-editortitleicon', { protyle, data: data ?? fallback }, 'bottom');
  addTime(data?.ial?.updated ?? null);
  openMenu(position);
}

/** The menu of the text (right click); plugins add to it by `open-menu-content`. */
export function openContentMenu(protyle: ProtyleState, block: HTMLElement, range: Range, position: Position): void {
  const menu = commonMenu();
  menu.remove();
  const chosen = range.toString();
  menu.addItem({ id: 'copy', icon: 'iconCopy', label: text('copy'), disabled: chosen === '', click: () => void copyText(chosen) });
  menu.addItem({ id: 'copyId', icon: 'iconRef', label: text('copyBlockId'), click: () => void copyText(idOf(block)) });
  emitOpenMenu('open-menu-content', { protyle, range, element: block }, 'top');
  openMenu(position);
}

function addTime(updated: string | null): void {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(updated ?? '');
  if (!parts) return;
  const [, year, month, day, hour, minute, second] = parts;
  const label = `${text('modifiedAt')} ${year}-${month}-${day} ${hour}:${minute}:${second}`;
  commonMenu().addItem({ id: 'updateAndCreatedAt', type: 'readonly', iconHTML: '', label });
}
