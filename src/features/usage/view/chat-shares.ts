import type { SessionSummary } from '../../../chat/session/types.ts';
import type { DayUsages } from '../../../model/budget/usage.ts';
import { sharesOf, sumUsages, type UsageShare } from '../../../model/budget/usage-sums.ts';
import type { MessageKey } from '../../../ui/ports/i18n.ts';

export interface ChatShare extends UsageShare {
  readonly chat?: SessionSummary;
  /** If there is no chat to open. */
  readonly name?: MessageKey;
}

const WITHOUT_CHAT = ['usage.gone', 'usage.suggestions', 'usage.tests', 'usage.speech', 'usage.unassigned'] as const satisfies MessageKey[];

/** A suggestion that was not saved has no chat; any other chat without a file was deleted. */
function nameOf({ sessionId, purpose }: DayUsages): (typeof WITHOUT_CHAT)[number] {
  if (purpose === 'suggestion') return 'usage.suggestions';
  if (sessionId !== undefined) return 'usage.gone';
  if (purpose === 'test') return 'usage.tests';
  return purpose === 'speech' || purpose === 'transcription' ? 'usage.speech' : 'usage.unassigned';
}

/** By chat, the largest share first; chats that can be opened come first. */
export function chatShares(days: readonly DayUsages[], chats: readonly SessionSummary[]): readonly ChatShare[] {
  const known = new Map(chats.map((chat) => [chat.id, chat]));
  const isKnown = ({ sessionId }: DayUsages): boolean => sessionId !== undefined && known.has(sessionId);
  const own = sharesOf(days.filter(isKnown), ({ sessionId = '' }) => sessionId).map((share): ChatShare => {
    const chat = known.get(share.key);
    return chat ? { ...share, chat } : share;
  });
  const rest = days.filter((used) => !isKnown(used));
  const others = WITHOUT_CHAT.map((name): ChatShare => ({ key: name, name, ...sumUsages(rest.filter((used) => nameOf(used) === name)) }));
  return [...own, ...others.filter(({ tokens }) => tokens > 0).sort((one, other) => other.tokens - one.tokens)];
}
