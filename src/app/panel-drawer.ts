import { type MountedPanel, mountPanel, type PanelProps } from '../ui/panel/mount.ts';
import type { PanelApp } from './panel-host.ts';

/** Renders the panel into the dock's element, which comes and goes, and tracks the current one. */
export function panelDrawer(
  props: PanelProps,
  { onDrawn, onGone }: { readonly onDrawn: readonly (() => Promise<unknown>)[]; readonly onGone: () => void },
) {
  let drawn: MountedPanel | undefined;
  const mount: PanelApp['mount'] = (element) => {
    const panel = mountPanel(element, props);
    drawn = panel;
    // Nobody waits for it: what fails is done when the panel is drawn again, unless the page is over.
    for (const work of onDrawn) void work().catch(() => undefined);
    return {
      focus: () => panel.focusComposer(),
      unmount() {
        panel.destroy();
        if (drawn === panel) drawn = undefined;
        onGone();
      },
    };
  };
  return { mount, current: () => drawn };
}
