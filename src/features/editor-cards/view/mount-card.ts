import { inBackground } from '../../../tools/util/notify.ts';
import '../../../ui/panel.css';
import '../../../ui/answer/answer.css';
import './cards.css';
import { mount, unmount } from 'svelte';
import { type CardDeps, CardState } from './card-state.svelte.ts';
import EditorCard from './EditorCard.svelte';
import { dropSecondClick } from './second-click.ts';

export interface MountedCard {
  /** The `group` named "Suggestion". */
  readonly element: HTMLElement;
  askWhileTyping(blockIds: readonly string[], signal: AbortSignal): Promise<'write' | 'cancel'> | undefined;
  /** The change is written, or was undone: only Undo and the follow-up actions are left. */
  isOver(): boolean;
  /** Whether it changes that block. */
  isOf(blockId: string): boolean;
  /** Ends the task and removes the card. */
  reject(): void;
  destroy(): void;
}

/** Renders a suggestion into an element placed by the caller. The card does not take the focus by itself. */
export function mountCard(target: HTMLElement, deps: CardDeps): MountedCard {
  const card = new CardState(deps);
  const component = mount(EditorCard, { target, props: { card } });
  const element = target.querySelector<HTMLElement>('.mg-card');
  if (!element) throw new Error('mountCard: the card drew nothing');
  return {
    element,
    askWhileTyping: (blockIds, signal) => card.askWhileTyping(blockIds, signal),
    isOver: () => card.view.status === 'done',
    isOf: (blockId) => card.isOf(blockId),
    reject: () => card.reject(),
    destroy() {
      card.destroy();
      dropSecondClick();
      inBackground(unmount(component));
    },
  };
}
