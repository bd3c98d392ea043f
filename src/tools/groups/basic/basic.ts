import type { AskUser, Clock } from '../../contract/ports.ts';
import type { ToolGroup } from '../../contract/types.ts';
import type { VariableSystem } from '../../executor/variables.ts';
import { ASK_USER, createAskUser } from './ask-user.ts';
import { CALCULATE, createCalculate } from './calculate.ts';
import { createDatetime, DATETIME } from './datetime.ts';
import { createTodo, TODO } from './todo.ts';

export interface BasicGroupOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** The user's time zone, IANA name. */
  readonly timeZone: string;
  /** The session's variables: the executor must get the same object. */
  readonly variables: VariableSystem;
  readonly askUser?: AskUser;
}

const HINTS: Readonly<Record<string, string>> = {
  datetime: 'Ask datetime for today and for weekdays; do not guess them.',
  calculate: 'Use calculate for every calculation whose result you state.',
  todo: 'For a task of more than three steps write the steps with todo and mark them done as you go.',
};

export const BASIC_TOOLS = [DATETIME, CALCULATE, ASK_USER, TODO];

export function createBasicGroup(options: BasicGroupOptions): ToolGroup {
  const { clock, timeZone, variables, askUser } = options;
  return {
    name: 'basic',
    rulePrompt: (names) => names.flatMap((name) => HINTS[name] ?? []).join('\n'),
    tools: [createDatetime(clock, timeZone), createCalculate(), createAskUser(askUser), createTodo(variables)],
  };
}
