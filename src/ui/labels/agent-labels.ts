import type { ToolCallView } from '../../chat/view/view.ts';
import type { WorkKind } from '../../tools/contract/tool-info.ts';
import { own } from '../../tools/plan-words/own.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';
import { errorLabel } from './error-labels.ts';
import { joinSentences, sentenceCase, tokens } from './format.ts';
import { argumentInShort, workKind } from './tool-labels.ts';
import { callsOf, isOver, isRejected, workDone } from './work-labels.ts';

/** The state of a sub-agent, in the tones of a card. */
export type AgentState = 'queued' | 'running' | 'waiting' | 'done' | 'stopped' | 'failed' | 'refused' | 'cut';

const ENDED: Readonly<Record<string, AgentState>> = { completed: 'done', aborted: 'stopped', error: 'failed', timeout: 'failed' };

export function agentState(call: ToolCallView): AgentState {
  if (call.status === 'waiting') return 'waiting';
  if (isRejected(call)) return 'refused';
  if (call.status === 'interrupted' || call.status === 'unknown') return 'cut';
  if (!isOver(call)) {
    if (!call.subAgent) return 'queued';
    return callsOf(call.subAgent.segments).some((inner) => inner.status === 'waiting') ? 'waiting' : 'running';
  }
  if (call.status === 'success') return own(ENDED, call.subAgent?.status ?? 'aborted') ?? 'failed';
  return call.status === 'aborted' ? 'stopped' : 'failed';
}

/** Its name for people: its label, or the beginning of its task. */
export function agentName({ args }: Pick<ToolCallView, 'args'>, t: Translate): string {
  return argumentInShort('spawn', args, 200) || t('tool.spawn');
}

const NOW: Readonly<Record<WorkKind, MessageKey>> = {
  read: 'agent.reading',
  search: 'agent.searching',
  list: 'agent.listing',
  'web-search': 'agent.searching',
  'web-page': 'agent.reading',
  memory: 'agent.reading',
  skill: 'agent.reading',
  write: 'agent.changing',
  agent: 'work.running',
  other: 'work.running',
};

/** Its progress, or what it did: "Read 3 notes · searching…". */
export function agentProgress(call: ToolCallView, t: Translate): string {
  const { subAgent } = call;
  const state = agentState(call);
  if (state === 'queued') return t('agent.queued');
  if (state === 'refused') return call.rejectReason ? t('state.rejected', { reason: call.rejectReason }) : '';
  const segments = subAgent?.segments ?? [];
  const calls = callsOf(segments);
  const parts = [workDone(calls.filter(isOver), t), ...(state === 'waiting' ? [t('work.waiting')] : [])];
  if (state === 'running') parts.push(nowLabel(calls, segments.at(-1)?.kind, t));
  return sentenceCase([...parts, isOver(call) ? agentTokens(call, t) : ''].filter(Boolean).join(' · '));
}

/** Its usage; '' before its end. */
export function agentTokens({ subAgent }: ToolCallView, t: Translate): string {
  return subAgent?.usage ? t('usage.tokens', { n: tokens(subAgent.usage.total_tokens, t) }) : '';
}

function nowLabel(calls: readonly ToolCallView[], last: string | undefined, t: Translate): string {
  const current = calls.find((call) => !isOver(call));
  if (current) return t(NOW[workKind(current)]);
  return t(last === 'text' ? 'agent.writing' : 'agent.thinking');
}

/** Why it did not finish; '' if it did, or is still working. */
export function agentTrouble(call: ToolCallView, t: Translate): string {
  const state = agentState(call);
  if (state === 'stopped') return t('agent.stopped');
  if (state === 'cut') return t('agent.cut');
  const error = call.subAgent?.error ?? call.error;
  if (state !== 'failed' || !error) return '';
  const { what, next } = errorLabel(error, t);
  return joinSentences([what, next]);
}
