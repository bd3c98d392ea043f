import { fieldOf } from '../tools/util/plain-value.ts';

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
const EFFORT_LISTS = ['supported_efforts', 'reasoning_efforts', 'supported_reasoning_efforts'] as const;

/** The efforts that an entry lists (OpenRouter and others), or says of one by one (Anthropic); undefined where it says nothing. */
export function effortsIn(entry: unknown): readonly string[] | undefined {
  const capabilities = fieldOf(entry, 'capabilities');
  const places = [entry, fieldOf(entry, 'reasoning'), capabilities, fieldOf(capabilities, 'reasoning')];
  const list = places.flatMap((place) => EFFORT_LISTS.map((name) => fieldOf(place, name))).find(Array.isArray);
  const each = fieldOf(capabilities, 'effort');
  const found = EFFORTS.filter((effort) => (list ? list.includes(effort) : fieldOf(fieldOf(each, effort), 'supported') === true));
  return found.length > 0 ? found : undefined;
}
