import { tick } from 'svelte';
import type { MessageView } from '../../chat/view/view.ts';
import { isDrawn } from '../controls/is-drawn.ts';
import type { PanelCommand } from '../ports/command-names.ts';
import type { PanelContext } from '../state/context.ts';

type Deps = Pick<PanelContext, 'panel' | 'controller' | 'chat'>;
type Direction = 1 | -1;

/** Decides about what has the focus in the approval, else what is open there. Where it is out of sight, the first press only goes there. */
async function decide(root: HTMLElement, which: 'approve' | 'reject', { panel }: Deps): Promise<void> {
  const card = root.querySelector<HTMLElement>('.mg-approval');
  if (!card) return;
  const isSeen = panel.page === 'chat' && isDrawn(root);
  const { activeElement } = document;
  panel.page = 'chat';
  await tick();
  if (!isSeen) {
    card.previousElementSibling?.scrollIntoView();
    card.focus({ preventScroll: true });
    return;
  }
  const key = which === 'approve' ? 'Enter' : 'Backspace';
  const target = activeElement && card.contains(activeElement) ? activeElement : card;
  target.dispatchEvent(new KeyboardEvent('keydown', { key, altKey: true, bubbles: true, cancelable: true }));
}

const citationsIn = (item: HTMLElement | undefined): readonly HTMLElement[] => [
  ...(item?.querySelectorAll<HTMLElement>('.mg-answer > .mg-md a[data-block-id]') ?? []),
];

/** Goes to the next or previous citation of the chat, from the one that has the focus or from the message that is read. */
async function stepCitation(direction: Direction, { panel, chat }: Deps): Promise<void> {
  const { history } = panel;
  if (!history) return;
  panel.page = 'chat';
  const { messages } = chat.view;
  const start = history.current();
  for (let index = start; index >= 0 && index < messages.length; index += direction) {
    if (messages[index]?.citations.length === 0) continue;
    const links = citationsIn(history.element(index) ?? (await history.show(index)));
    const held = index === start ? links.findIndex((link) => link.contains(document.activeElement)) : -1;
    const next = held < 0 ? links.at(direction === 1 ? 0 : -1) : links[held + direction];
    if (!next) continue;
    next.focus({ preventScroll: true });
    history.bring(next);
    return;
  }
}

const hasOthers = ({ position }: MessageView): boolean => position !== undefined;

/** Shows the next or previous branch (or version) of the message that is read, or of the nearest one above it that has others. */
async function switchBranch(direction: Direction, { panel, chat, controller }: Deps): Promise<void> {
  const { messages } = chat.view;
  const at = panel.history?.current() ?? messages.length - 1;
  const above = messages.slice(0, at + 1).findLastIndex(hasOthers);
  const place = above >= 0 ? above : messages.findIndex(hasOthers);
  const message = messages[place];
  if (!message?.position) return;
  const { branch, branches, version, versions } = message.position;
  const [from, all] = branches > 1 ? [branch, branches] : [version, versions];
  const to = from + direction;
  if (to < 1 || to > all) return;
  if (branches > 1) await controller.messages.showBranch(message.nodeId, to);
  else await controller.messages.showVersion(message.nodeId, to);
  await panel.goTo(place);
}

/**
 * Presses "Undo" or "Redo" of the message that is read, else of the last that has one. What is not in sight is not changed: then the
 * first press only goes there.
 */
async function change(which: 'undo' | 'redo', { panel, chat }: Deps): Promise<void> {
  const { history } = panel;
  const { messages } = chat.view;
  const has = ({ undo }: MessageView): boolean =>
    undo !== undefined && (which === 'undo' ? !undo.undone && undo.kind !== 'none' : undo.undone && (undo.redo ?? 0) > 0);
  const focused = history?.focused ?? -1;
  const index = messages[focused] && has(messages[focused]) ? focused : messages.findLastIndex(has);
  if (index < 0) return;
  const part = `[data-change="${which}"]`;
  const button = history?.element(index)?.querySelector<HTMLButtonElement>(`${part}:not(:disabled)`);
  const frame = button?.closest('.mg-list')?.getBoundingClientRect();
  const box = button?.getBoundingClientRect();
  const seen = panel.page === 'chat' && frame && box && box.height > 0 && box.top >= frame.top && box.bottom <= frame.bottom;
  if (button && seen) button.click();
  else {
    await panel.goTo(index, part);
    history?.element(index)?.querySelector(part)?.scrollIntoView({ block: 'nearest' });
  }
}

export function runCommand(name: PanelCommand, root: HTMLElement, deps: Deps): void {
  const { panel } = deps;
  const direction: Direction = name.startsWith('previous') ? -1 : 1;
  if (name === 'approve' || name === 'reject') panel.run(decide(root, name, deps));
  else if (name === 'nextMessage' || name === 'previousMessage') panel.step(direction);
  else if (name === 'nextCitation' || name === 'previousCitation') panel.run(stepCitation(direction, deps));
  else if (name === 'nextBranch' || name === 'previousBranch') panel.run(switchBranch(direction, deps));
  else if (name === 'undoChange') panel.run(change('undo', deps));
  else if (name === 'redoChange') panel.run(change('redo', deps));
  else panel.startFind();
}
