import type { ChatController } from '../../chat/controller/controller-port.ts';
import type { NotebookRight } from '../../tools/contract/notebook-right.ts';
import type { ApprovalRequest } from '../../tools/contract/types.ts';
import type { SettingsPort } from '../ports/settings-port.ts';
import { ApprovalChoice, type Grant, missingRights } from './approval-choice.svelte.ts';
import type { ApprovalSight } from './approval-sight.svelte.ts';

interface ApproveOptions {
  readonly remember?: boolean | undefined;
  /** The person says so of what was not in view. */
  readonly unseen?: boolean;
}

interface Deps {
  readonly controller: Pick<ChatController, 'decide'>;
  readonly settings: Pick<SettingsPort, 'setRight'>;
  readonly rightOf: (notebook: string) => NotebookRight | undefined;
  /** Where all are drawn as one change. */
  readonly sight?: () => ApprovalSight;
}

/** What is asked is the same, also where it was read once more from elsewhere. */
const isSame = (one: ApprovalRequest, other: ApprovalRequest): boolean =>
  one === other || JSON.stringify({ ...one, callId: '' }) === JSON.stringify({ ...other, callId: '' });

/** The choices on all pending approvals. They outlive a new view: ticks stay while others come and go. */
export class ApprovalChoices {
  readonly deps: Deps;
  #kept: ReadonlyMap<string, ApprovalChoice> = new Map();

  constructor(deps: Deps) {
    this.deps = deps;
  }

  of(requests: readonly ApprovalRequest[]): ApprovalChoice[] {
    const choices = requests.map((request) => {
      const known = this.#kept.get(request.approvalId);
      // Edited meanwhile: it must be seen again, and nothing of the new plan is left out.
      return known && isSame(known.request, request) ? known : new ApprovalChoice(request, this.deps.rightOf, known, this.deps.sight?.());
    });
    this.#kept = new Map(choices.map((choice) => [choice.request.approvalId, choice]));
    return choices;
  }

  /** One choice for all pending ones: they are asked about together. */
  setGrant(grant: Grant): void {
    for (const each of this.#kept.values()) each.grant = grant;
  }

  /** The choice about missing rights; undefined if some were requested after it. */
  grantOf(choices: readonly ApprovalChoice[]): Grant | undefined {
    const grants = new Set(choices.filter(({ right }) => right).map(({ grant }) => grant));
    return grants.size === 1 ? [...grants][0] : undefined;
  }

  /**
   * Raises the permanently given rights, each notebook once to the highest needed; then decides in order. Approves nothing unless each
   * may be (`canApprove`), and none that was planned again meanwhile.
   */
  async approve(choices: readonly ApprovalChoice[], { remember = false, unseen = false }: ApproveOptions = {}): Promise<void> {
    if (!choices.every((choice) => choice.canApprove(unseen))) return;
    const rights = missingRights(choices.filter(({ grant }) => grant === 'always'));
    const decisions = choices.map((choice) => [choice, choice.approval(remember)] as const);
    for (const [notebook, { right }] of rights) await this.deps.settings.setRight(notebook, right);
    for (const [choice, decision] of decisions) {
      const { approvalId } = choice.request;
      if (this.#kept.get(approvalId) === choice) this.deps.controller.decide(approvalId, decision);
    }
  }

  reject(choices: readonly ApprovalChoice[]): void {
    for (const choice of choices) this.deps.controller.decide(choice.request.approvalId, choice.rejection());
  }
}
