import type { Custom } from 'siyuan';
import { inBackground } from '../tools/util/notify.ts';
import type { PanelApp } from './panel-host.ts';

interface PanelTabsDeps {
  /** The tab's type in the host, which puts the plugin's name before it. */
  readonly type: string;
  readonly running: () => Promise<PanelApp>;
  /** Says in the tab that its program could not be loaded. */
  readonly failed: (element: HTMLElement, error: unknown, again: () => void) => void;
}

/** The tabs of one type: the host makes them, also those of an earlier start, and they are drawn when their program is loaded. */
export class PanelTabs {
  private readonly deps: PanelTabsDeps;
  private readonly open = new Map<Custom, { unmount(): void } | undefined>();

  constructor(deps: PanelTabsDeps) {
    this.deps = deps;
  }

  async draw(tab: Custom): Promise<void> {
    const element = tab.element as HTMLElement;
    this.open.set(tab, undefined);
    try {
      const drawn = await (await this.deps.running()).mountTab(this.deps.type, element);
      if (this.open.has(tab)) this.open.set(tab, drawn);
      else drawn.unmount();
    } catch (error) {
      this.deps.failed(element, error, () => inBackground(this.draw(tab)));
    }
  }

  remove(tab: Custom): void {
    this.open.get(tab)?.unmount();
    this.open.delete(tab);
  }

  /** The plugin is switched off: an empty tab would stay. */
  close(): void {
    for (const tab of [...this.open.keys()]) {
      this.remove(tab);
      tab.tab.close();
    }
  }
}
