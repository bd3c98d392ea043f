import { create, icon } from '../core/dom.ts';
import { config, query } from '../core/state.ts';
import { isChinese, text } from '../core/texts.ts';

/** Sets the colours by configuration; `?theme=` has gone into the configuration before. */
export function applyTheme(): void {
  document.documentElement.setAttribute('data-theme-mode', config().appearance.mode === 1 ? 'dark' : 'light');
  document.documentElement.lang = isChinese() ? 'zh-CN' : 'en';
}

export function toolbarItem(id: string, iconId: string, label: string, onClick: (event: MouseEvent) => void): HTMLElement {
  const attributes = { id, 'aria-label': label, role: 'button', tabindex: '0', 'data-menu': 'true' };
  const item = create('div', 'toolbar__item ariaLabel', attributes, icon(iconId));
  item.addEventListener('click', onClick);
  return item;
}

/** Builds the page: tool bar with tabs, rails, panels, centre, status line. */
export function buildFrame(): void {
  document.body.classList.toggle('body--mobile', query.mobile);
  const toolbar = create('div', 'toolbar', { id: 'toolbar' });
  const name = create('div', 'toolbar__text', { id: 'barWorkspace' }, text('devHost'));
  const drag = create('div', 'toolbar__tabs', { id: 'drag' }, create('ul', 'layout-tab-bar', { role: 'tablist' }));
  toolbar.append(name, drag);
  const center = create('div', 'layout__center', { id: 'center' }, create('div', 'layout-tab-container'));
  const layouts = create('div', 'layouts', { id: 'layouts' }, center);
  const status = create(
    'div',
    'status',
    { id: 'status' },
    create('div', 'fn__flex-1'),
    create('div', 'status__counter', { id: 'statusCounter' }),
  );
  document.body.append(toolbar, layouts, status);
}
