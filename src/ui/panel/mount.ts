import { inBackground } from '../../tools/util/notify.ts';
import '../panel.css';
import '../answer/answer.css';
import { type ComponentProps, flushSync, mount, unmount } from 'svelte';
import type { PanelCommand } from '../ports/command-names.ts';
import type { PanelPlace } from '../ports/panel-place.ts';
import SafePanel from './SafePanel.svelte';

export type PanelProps = ComponentProps<typeof SafePanel>;

export interface MountedPanel {
  /** Takes the panel away with all its listeners; the controller goes on. */
  destroy(): void;
  focusComposer(): void;
  show(place: PanelPlace): void;
  command(name: PanelCommand): void;
}

export function mountPanel(target: HTMLElement, props: PanelProps): MountedPanel {
  const panel = mount(SafePanel, { target, props });
  // What is inside of the boundary is known only then, and may be asked to take the focus at once.
  flushSync();
  return {
    destroy: () => inBackground(unmount(panel)),
    focusComposer: () => panel.focusComposer(),
    show: (place) => panel.show(place),
    command: (name) => panel.command(name),
  };
}
