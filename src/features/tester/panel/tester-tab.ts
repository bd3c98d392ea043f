import type { Custom } from 'siyuan';
import type { PanelApp } from '../../../app/panel-host.ts';
import { inBackground } from '../../../tools/util/notify.ts';

/** The tab's type in the host, which puts the plugin's name before it. */
export const TESTER_TAB = 'tester';

interface TesterTabsDeps {
  readonly running: () => Promise<PanelApp>;
  /** Says in the tab that its program could not be loaded. */
  readonly failed: (element: HTMLElement, error: unknown, again: () => void) => void;
}

/** The tabs of the tool tester: the host makes them, also those of an earlier start, and the tester is drawn when it is loaded. */
export class TesterTabs {
  private readonly deps: TesterTabsDeps;
  private readonly open = new Map<Custom, { unmount(): void } | undefined>();

  constructor(deps: TesterTabsDeps) {
    this.deps = deps;
  }

  async draw(tab: Custom): Promise<void> {
    const element = tab.element as HTMLElement;
    this.open.set(tab, undefined);
    try {
      const drawn = await (await this.deps.running()).mountTester(element);
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
