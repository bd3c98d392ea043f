type FailureMode = 'drop' | 'error' | 'http500' | 'delay';

/** A fault that a test wants of one path. */
export interface FailureRule {
  /** How many requests it hits; all of them when left out. */
  readonly times?: number;
  readonly mode: FailureMode;
  /** How long `delay` waits, in milliseconds (default 1000). */
  readonly ms?: number;
  /** The request is carried out first and only its answer suffers: the client cannot know. */
  readonly afterApply?: boolean;
}

export type FailureRules = Readonly<Record<string, FailureRule>>;

/** Faults by path, changeable while the host runs. */
export class Failures {
  private readonly rules = new Map<string, { rule: FailureRule; left: number }>();

  constructor(rules: FailureRules = {}) {
    for (const [path, rule] of Object.entries(rules)) this.set(path, rule);
  }

  set(path: string, rule: FailureRule): void {
    this.rules.set(path, { rule, left: rule.times ?? Number.POSITIVE_INFINITY });
  }

  clear(path?: string): void {
    if (path === undefined) this.rules.clear();
    else this.rules.delete(path);
  }

  get armed(): boolean {
    return this.rules.size > 0;
  }

  /** The fault of this request, which uses one of its times up. */
  take(path: string): FailureRule | undefined {
    const entry = this.rules.get(path);
    if (!entry || entry.left <= 0) return undefined;
    entry.left -= 1;
    return entry.rule;
  }
}
