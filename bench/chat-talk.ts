import type { Node, Session } from '../src/chat/session/types.ts';
import { seededRandom } from './random.ts';

const VOCABULARY = (
  'the launch of apollo was planned for may and budget is tight we should talk about tests risk kernel block database note ' +
  'template card query garden soil water plan week 笔记 预算 很紧 五月 发布 新版本 花园 土壤'
).split(' ');

export interface TalkOptions {
  readonly messages: number;
  readonly words: number;
  readonly seed: number;
}

/** A chat as long use makes it: questions and answers of made-up words, the same for the same seed. */
export function makeTalk(id: string, { messages, words, seed }: TalkOptions): Session {
  const random = seededRandom(seed);
  const word = (): string => random.pick(VOCABULARY) ?? '';
  const text = (): string => Array.from({ length: words }, word).join(' ');
  const nodes: Record<string, Node> = {};
  for (let index = 0; index < messages; index++) {
    const role = index % 2 ? ('assistant' as const) : ('user' as const);
    const payload = {
      id: `${id}v${index}`,
      message: { role, content: text() },
      author: role,
      created: 1_700_000_000_000 + index,
      status: 'done' as const,
    };
    nodes[`${id}n${index}`] = {
      id: `${id}n${index}`,
      role,
      parent: index === 0 ? null : `${id}n${index - 1}`,
      versions: { [payload.id]: payload },
      currentVersionId: payload.id,
      changed: { time: payload.created, device: 'bench' },
    };
  }
  return {
    schema: 1,
    id,
    title: `Talk ${id}`,
    created: 1,
    updated: 1_700_000_000_000 + seed,
    tags: [],
    pinned: false,
    nodes,
    rootId: `${id}n0`,
    leafId: `${id}n${messages - 1}`,
    variables: [],
    approvals: [],
  };
}
