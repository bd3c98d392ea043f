import type { UndoReport, UndoState } from '../../tools/contract/ports.ts';
import type { ProgressCount } from '../../tools/contract/types.ts';
import { saidOfUndo, undoneLabel } from '../labels/undo-labels.ts';
import type { ActivityPort, RecordedCall } from '../ports/activity-port.ts';
import type { MessageKey } from '../ports/i18n.ts';
import type { PanelContext } from '../state/context.ts';

/** What can be undone of a recorded call, and the result of the last Undo. */
export class CallUndo {
  /** undefined until it was looked up, and if the call wrote nothing. */
  known: UndoState | undefined = $state.raw();
  report: UndoReport | undefined = $state.raw();
  /** `report` is about a Redo. */
  isRedo: boolean = $state(false);
  busy: boolean = $state(false);
  /** Progress. */
  count: ProgressCount | undefined = $state.raw();
  readonly conflicts = $derived(this.report?.conflicts ?? []);
  /** "Undone", or in part; '' before. */
  readonly label: MessageKey | '' = $derived(
    this.known?.undone ? undoneLabel({ undo: this.known, undoReport: this.report && !this.isRedo ? this.report : undefined }) : '',
  );
  readonly #activity: ActivityPort;
  readonly #call: () => RecordedCall;
  readonly #context: Pick<PanelContext, 'host' | 'panel' | 't'>;

  constructor(activity: ActivityPort, call: () => RecordedCall, context: Pick<PanelContext, 'host' | 'panel' | 't'>) {
    this.#activity = activity;
    this.#call = call;
    this.#context = context;
  }

  async look(): Promise<void> {
    const found = await this.#activity.undoState(this.#call());
    if (found.blocks === 0) return;
    this.known = found;
    this.report ??= found.report;
  }

  /** Asks first if not everything can be restored. */
  async undoCall({ kind, blocks }: UndoState): Promise<void> {
    const { host, panel, t } = this.#context;
    const ask = { title: t('undo.title'), text: t('undo.partial.ask', { n: blocks }), action: t('action.undo') };
    if (this.busy || (kind !== 'exact' && !(await host.confirm(ask)))) return;
    await this.#carryOut('undo');
    const said = saidOfUndo({ undo: this.known, undoReport: this.report });
    if (said) await panel.announce(t(said));
  }

  async writeAgain(): Promise<void> {
    if (this.busy) return;
    const { panel, t } = this.#context;
    await this.#carryOut('redo');
    await panel.announce(t(this.conflicts.length > 0 ? 'said.redoneInPart' : 'said.redone'));
  }

  async #carryOut(which: 'undo' | 'redo'): Promise<void> {
    this.busy = true;
    try {
      this.report = await this.#activity[which](this.#call(), (done, total) => {
        this.count = { done, total };
      });
      this.isRedo = which === 'redo';
      this.known = await this.#activity.undoState(this.#call());
    } finally {
      this.busy = false;
      this.count = undefined;
    }
  }

  async resolve(blockId: string, choice: 'undo' | 'keep', shown?: string | null): Promise<void> {
    const settled = await this.#activity.resolve(this.#call(), blockId, choice, shown);
    const settledIds = new Set([blockId, ...settled.conflicts.map((conflict) => conflict.blockId)]);
    this.report = {
      restored: [...new Set([...(this.report?.restored ?? []), ...settled.restored])],
      conflicts: [...this.conflicts.filter((conflict) => !settledIds.has(conflict.blockId)), ...settled.conflicts],
    };
    this.known = await this.#activity.undoState(this.#call());
  }
}
