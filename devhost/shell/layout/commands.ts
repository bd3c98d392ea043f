import { create } from '../core/dom.ts';
import { app, query } from '../core/state.ts';
import { text } from '../core/texts.ts';
import type { Command, LoadedPlugin } from '../core/types.ts';
import { Dialog } from '../ui/dialog.ts';
import { hotkeyLabel, matchHotkey } from '../ui/hotkey.ts';
import { callSafely } from './custom.ts';
import { dockOfType } from './dock.ts';
import { activeEditor } from './documents.ts';

/** Runs a plugin's command as SiYuan does: the callback for the place of the focus first, then `callback`. */
function run(command: Command, at: EventTarget | null): boolean {
  const place = at instanceof Element ? at : document.activeElement;
  const dock = place?.closest<HTMLElement>('.dockPanel');
  const editor = activeEditor();
  if (command.callback) return done(() => command.callback?.());
  if (command.fileTreeCallback && place?.closest('.sy__file')) return done(() => command.fileTreeCallback?.(dockOfType('file')?.data.file));
  if (command.dockCallback && dock) return done(() => command.dockCallback?.(dock));
  if (command.editorCallback && editor) return done(() => command.editorCallback?.(editor.protyle));
  if (command.globalCallback) return done(() => command.globalCallback?.());
  return false;
}

function done(callback: () => void): boolean {
  callSafely('command', callback);
  return true;
}

/** Hotkeys of plugin commands and docks, anywhere in the page. */
export function initHotkeys(): void {
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.isComposing) return;
      for (const plugin of app.plugins) {
        const handled = commandOf(plugin, event) || dockHotkey(plugin, event);
        if (!handled) continue;
        event.preventDefault();
        event.stopPropagation();
        return;
      }
    },
    true,
  );
}

function commandOf(plugin: LoadedPlugin, event: KeyboardEvent): boolean {
  const command = plugin.commands.find((candidate) => candidate.customHotkey && matchHotkey(candidate.customHotkey, event));
  return !!command && run(command, event.target);
}

function dockHotkey(plugin: LoadedPlugin, event: KeyboardEvent): boolean {
  if (query.mobile) return false;
  const entry = Object.entries(plugin.docks).find(([, dock]) => dock.config.hotkey && matchHotkey(dock.config.hotkey, event));
  if (!entry) return false;
  dockOfType(entry[0])?.toggle(entry[0]);
  return true;
}

/** In milliseconds, as in SiYuan. */
const CLOSING = 190;

/** The list of all plugin commands. It closes after the command has begun, and gives the selection back, which takes the focus along. */
export function openCommandPanel(): void {
  const selection = getSelection();
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
  const dialog = new Dialog({
    destroyCallback: () => {
      selection?.removeAllRanges();
      if (range) selection?.addRange(range);
    },
    title: text('commands'),
    content: '<div class="b3-dialog__content"><div class="b3-list b3-list--background"></div></div>',
    width: '480px',
  });
  dialog.element.setAttribute('data-key', 'dialog-commandpanel');
  const list = dialog.element.querySelector('.b3-list');
  for (const plugin of app.plugins) {
    for (const command of plugin.commands) {
      const label = command.langText ?? String((plugin as { i18n?: Record<string, unknown> }).i18n?.[command.langKey] ?? command.langKey);
      const key = create('span', 'b3-list-item__meta', {}, hotkeyLabel(command.customHotkey ?? ''));
      const item = create(
        'button',
        'b3-list-item',
        { type: 'button' },
        create('span', 'b3-list-item__text', {}, `${plugin.displayName}: ${label}`),
        key,
      );
      item.addEventListener('click', () => {
        dialog.element.classList.remove('b3-dialog--open');
        setTimeout(() => dialog.destroy(), CLOSING);
        run(command, null);
      });
      list?.append(item);
    }
  }
  if (!list?.childElementCount) list?.append(create('div', 'b3-list--empty', {}, text('emptyContent')));
}
