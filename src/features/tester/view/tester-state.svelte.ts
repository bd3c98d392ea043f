import type { ToolArguments } from '../../../tools/contract/types.ts';
import type { TesterRun, TesterView, ToolTester } from '../tool-tester.ts';
import { type CallDraft, draftFromText, draftOf } from './form/call-draft.ts';

export const PANES = ['discovery', 'executor', 'parser', 'events', 'prompt'] as const;
export type Pane = (typeof PANES)[number];

/** What the panes share: which one is open, which tool they are about, and the call that is being put together. */
export class TesterState {
  pane: Pane = $state('discovery');
  /** The tool whose details are shown; '' for none. */
  shown: string = $state('');
  view: TesterView;
  /** Name of the tool in the sandbox, as it is typed. */
  tool: string = $state('');
  draft: CallDraft = $state.raw(draftOf({}));
  mode: 'form' | 'json' = $state('form');
  /** undefined: the newest. */
  chosenRun: string | undefined = $state();
  /** Id of the protocol that a text is read by; '' for the first. */
  protocol: string = $state('');
  /** The text that is parsed. */
  source: string = $state('');
  /** Of tools that were in the sandbox before. */
  readonly #drafts = new Map<string, CallDraft>();
  readonly #tester: Pick<ToolTester, keyof ToolTester>;
  readonly #stop: () => void;

  constructor(tester: Pick<ToolTester, keyof ToolTester>) {
    this.#tester = tester;
    this.view = $state.raw(tester.view());
    this.#stop = tester.subscribe((view) => {
      this.view = view;
    });
  }

  /** The run that is shown. */
  get run(): TesterRun | undefined {
    const { runs } = this.view;
    return runs.find(({ callId }) => callId === this.chosenRun) ?? runs[0];
  }

  /** Another pane; the tool that is looked at is the one that is tried out. */
  open(pane: Pane): void {
    if (pane === 'executor' && this.shown !== '' && this.shown !== this.tool) this.setTool(this.shown);
    this.pane = pane;
  }

  /** Shows a tool. */
  show(tool: string): void {
    this.shown = tool;
    this.pane = 'discovery';
  }

  /** Another tool in the sandbox, with what was filled in for it before. */
  setTool(tool: string): void {
    this.#drafts.set(this.tool, this.draft);
    this.tool = tool;
    if (this.#tester.describe(tool)) this.shown = tool;
    // A name that is still being typed is nobody's.
    if (this.#tester.describe(tool)) this.draft = this.#drafts.get(tool) ?? draftOf({});
  }

  /** Loads a call into the sandbox. */
  load(tool: string, args?: ToolArguments): void {
    this.setTool(tool);
    if (args) this.draft = draftOf(args);
    this.pane = 'executor';
  }

  setArguments(args: ToolArguments): void {
    this.draft = draftOf(args);
  }

  setText(text: string): void {
    this.draft = draftFromText(text, this.draft);
  }

  destroy(): void {
    this.#stop();
  }
}
