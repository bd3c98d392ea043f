import type { ChangePlan } from '../contract/plans.ts';

/** Tells if the person lets a change through without a question; `groups`: of tools whose results are in the chat, '' for other text. */
export type LetsThrough = (plan: ChangePlan, groups: ReadonlySet<string>) => Promise<boolean>;

/** Names of the tools whose results a chat holds; '' for text that came in another way. */
export class RanTools {
  private readonly now = new Set<string>();
  /** Of its messages: asked where it matters, since a chat may be long. */
  before: () => Iterable<string> = () => [];

  add(name: string): void {
    this.now.add(name);
  }

  clear(): void {
    this.now.clear();
  }

  /** `groupOf`: undefined for a tool that is no longer there. */
  asker(letsThrough: LetsThrough | undefined, groupOf: (name: string) => string | undefined) {
    return async (plan: ChangePlan): Promise<boolean> => {
      const groups = [...this.now, ...this.before()].map((name) => groupOf(name) ?? '');
      return (await letsThrough?.(plan, new Set(groups))) === true;
    };
  }
}
