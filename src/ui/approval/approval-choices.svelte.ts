import type { ChatController } from '../../chat/controller/controller-port.ts';
import type { NotebookRight } from '../../tools/contract/ports.ts';
import type { ApprovalRequest } from '../../tools/contract/types.ts';
import type { SettingsPort } from '../ports/settings-port.ts';
import { ApprovalChoice, type Grant, missingRights } from './approval-choice.svelte.ts';

interface Deps {
  readonly controller: Pick<ChatController, 'decide'>;
  readonly settings: Pick<SettingsPort, 'setRight'>;
  readonly rightOf: (notebook: string) => NotebookRight | undefined;
}

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
      return known?.request.plan === request.plan && known?.request.args === request.args
        ? known
        : new ApprovalChoice(request, this.deps.rightOf, known);
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

  /** Raises the permanently given rights, each notebook once to the highest needed; then decides in order. */
  async approve(choices: readonly ApprovalChoice[], remember = false): Promise<void> {
    const rights = missingRights(choices.filter(({ grant }) => grant === 'always'));
    const decisions = choices.map((choice) => [choice.request.approvalId, choice.approval(remember)] as const);
    for (const [notebook, { right }] of rights) await this.deps.settings.setRight(notebook, right);
    for (const [id, decision] of decisions) this.deps.controller.decide(id, decision);
  }

  reject(choices: readonly ApprovalChoice[]): void {
    for (const choice of choices) this.deps.controller.decide(choice.request.approvalId, choice.rejection());
  }
}
