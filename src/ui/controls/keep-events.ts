/**
 * What lies over an editor handles its keys, clipboard and touches itself: the editor and its shortcuts must not. Clicks propagate,
 * since they close the host's menus; the editor checks their target.
 */
const OWN_EVENTS = [
  'keydown',
  'keyup',
  'keypress',
  'beforeinput',
  'input',
  'copy',
  'cut',
  'paste',
  'contextmenu',
  'dragstart',
  'drop',
] as const;
const OWN_TOUCHES = ['touchstart', 'touchmove', 'touchend'] as const;

export function keepEvents(element: HTMLElement): void {
  for (const type of [...OWN_EVENTS, ...OWN_TOUCHES]) element.addEventListener(type, (event) => event.stopPropagation(), { passive: true });
}
