const symbols: Record<string, string> = {
  Tab: '⇥',
  Backspace: '⌫',
  Delete: '⌦',
  Enter: '↩',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};
const names: Record<string, string> = { '⇥': 'Tab', '⌫': 'Backspace', '⌦': 'Delete', '↩': 'Enter' };
const isMac = /mac/i.test(navigator.platform);

/** `⇧⌘A` as people of this system write it (`adaptHotkey` of the plugin API). */
export function hotkeyLabel(hotkey: string): string {
  if (!hotkey || isMac) return hotkey;
  const keys: string[] = [];
  if (/[⌘⌃]/.test(hotkey)) keys.push('Ctrl');
  if (hotkey.includes('⇧')) keys.push('Shift');
  if (hotkey.includes('⌥')) keys.push('Alt');
  const last = hotkey.replace(/[⌘⇧⌥⌃]/g, '');
  if (last) keys.push(names[last] ?? last);
  return keys.join('+');
}

/** Whether a key press is the hotkey, written in macOS symbols. */
export function matchHotkey(hotkey: string, event: KeyboardEvent): boolean {
  const last = hotkey.replace(/[⌘⇧⌥⌃]/g, '');
  if (!last) return false;
  const code = /^(?:Key|Digit)(.)$/.exec(event.code)?.[1];
  const pressed = code ?? symbols[event.key] ?? event.key.toUpperCase();
  const control = isMac ? event.metaKey : event.ctrlKey;
  return (
    pressed === last.toUpperCase() &&
    control === /[⌘⌃]/.test(hotkey) &&
    event.shiftKey === hotkey.includes('⇧') &&
    event.altKey === hotkey.includes('⌥')
  );
}
