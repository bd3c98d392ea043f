import type { TesterView, ToolTester } from '../../chat/tester/tool-tester.ts';

export const PANES = ['discovery'] as const;
export type Pane = (typeof PANES)[number];

/** What the panes share: which one is open, and which tool they are about. */
export class TesterState {
  pane: Pane = $state('discovery');
  /** The tool whose details are shown; '' for none. */
  shown: string = $state('');
  view: TesterView;
  readonly #stop: () => void;

  constructor(tester: Pick<ToolTester, 'view' | 'subscribe'>) {
    this.view = $state.raw(tester.view());
    this.#stop = tester.subscribe((view) => {
      this.view = view;
    });
  }

  /** Shows a tool. */
  show(tool: string): void {
    this.shown = tool;
    this.pane = 'discovery';
  }

  destroy(): void {
    this.#stop();
  }
}
