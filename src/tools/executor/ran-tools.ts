import type { ChangePlan } from '../contract/plans.ts';

/** Why a change is asked about although the person lets small ones through; in the order in which they are said. */
export const ASK_REASONS = ['elsewhere', 'followed', 'foreign', 'deletes', 'more', 'adds', 'blocks', 'words', 'undo', 'remark'] as const;
export type AskReason = (typeof ASK_REASONS)[number];
/** `through`: no question. Undefined: the person lets none through. */
export type Verdict = AskReason | 'through' | undefined;

/** Tells if the person lets a change through without a question; `groups`: of tools whose results are in the chat, '' for other text. `earlier`: those of the same answer. */
export type LetsThrough = (plan: ChangePlan, groups: ReadonlySet<string>, earlier: readonly ChangePlan[]) => Promise<Verdict>;

/** Names of the tools whose results a chat holds; '' for text that came in another way. */
export class RanTools {
  private readonly now = new Set<string>();
  private through: { readonly nodeId: string; readonly plans: readonly ChangePlan[] } = { nodeId: '', plans: [] };
  private asked: Promise<unknown> = Promise.resolve();
  /** Of its messages: asked where it matters, since a chat may be long. */
  before: () => Iterable<string> = () => [];

  add(name: string): void {
    this.now.add(name);
  }

  /** An agent answers that reads elsewhere by itself. */
  addForeign(): void {
    this.now.add('');
  }

  get hasForeign(): boolean {
    return this.now.has('');
  }

  clear(): void {
    this.now.clear();
  }

  /** `groupOf`: undefined for a tool that is no longer there. One call is asked about after the other: they count together. */
  asker(letsThrough: LetsThrough | undefined, groupOf: (name: string) => string | undefined) {
    const ask = async (plan: ChangePlan, nodeId: string): Promise<Verdict> => {
      const groups = [...this.now, ...this.before()].map((name) => groupOf(name) ?? '');
      const plans = this.through.nodeId === nodeId ? this.through.plans : [];
      const verdict = await letsThrough?.(plan, new Set(groups), plans);
      if (verdict === 'through') this.through = { nodeId, plans: [...plans, plan] };
      return verdict;
    };
    return (plan: ChangePlan, nodeId: string): Promise<Verdict> => {
      const asked = this.asked.then(() => ask(plan, nodeId));
      this.asked = asked.catch(() => undefined);
      return asked;
    };
  }
}
