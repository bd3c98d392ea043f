import type { ChatController } from '../../chat/controller/controller-port.ts';
import type { NotebookRight } from '../../tools/contract/ports.ts';
import type { ApprovalRequest } from '../../tools/contract/types.ts';
import type { SettingsPort } from '../ports/settings-port.ts';
import { ApprovalChoice, type Grant, reaches } from './approval-choice.svelte.ts';

interface Deps {
  readonly controller: Pick<ChatController, 'decide'>;
  readonly settings: Pick<SettingsPort, 'setRight'>;
  readonly rightOf: (notebook: string) => NotebookRight | undefined;
}

/** The choices on all approvals that wait. They outlive a new view: what was ticked stays ticked while others come and go. */
export class ApprovalChoices {
  readonly deps: Deps;
  #kept: ReadonlyMap<string, ApprovalChoice> = new Map();

  constructor(deps: Deps) {
    this.deps = deps;
  }

  of(requests: readonly ApprovalRequest[]): ApprovalChoice[] {
    const choices = requests.map((request) => this.#kept.get(request.approvalId) ?? new ApprovalChoice(request, this.deps.rightOf));
    this.#kept = new Map(choices.map((choice) => [choice.request.approvalId, choice]));
    return choices;
  }

  /** One choice counts for every plan that needs the same of the same notebook. */
  setGrant(choice: ApprovalChoice, grant: Grant): void {
    for (const each of this.#kept.values()) if (this.isSameRight(each, choice)) each.grant = grant;
    choice.grant = grant;
  }

  /** Both lack the same right of the same notebook, or none. */
  isSameRight(one: ApprovalChoice, other: ApprovalChoice): boolean {
    return one.right === other.right && one.request.plan?.notebook.id === other.request.plan?.notebook.id;
  }

  /** Raises the rights that are given for good, each notebook once and to the highest that is needed; then decides in order. */
  async approve(choices: readonly ApprovalChoice[], remember = false): Promise<void> {
    const rights = new Map<string, NotebookRight>();
    for (const { right, grant, request } of choices) {
      const notebook = request.plan?.notebook.id;
      if (right && grant === 'always' && notebook !== undefined && !reaches(rights.get(notebook), right)) rights.set(notebook, right);
    }
    const decisions = choices.map((choice) => [choice.request.approvalId, choice.approval(remember)] as const);
    for (const [notebook, right] of rights) await this.deps.settings.setRight(notebook, right);
    for (const [id, decision] of decisions) this.deps.controller.decide(id, decision);
  }

  reject(choices: readonly ApprovalChoice[]): void {
    for (const choice of choices) this.deps.controller.decide(choice.request.approvalId, choice.rejection());
  }
}
