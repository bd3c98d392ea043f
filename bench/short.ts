// The short form, after the tests of each day: whether a ratio is far beyond its limit, not what it is.

import { chromiumPath } from '../tests/support/app.ts';
import { measureChatSend } from './chat-send.ts';
import { type Figure, passes } from './figures.ts';
import { measureFirstToken } from './first-token.ts';
import { benchPipe } from './service-delay.ts';
import { QUICK } from './size.ts';
import { measureTaskTokens } from './task-tokens.ts';

/** Limits of times are multiplied: other programs may run on the machine. */
const SLACK = 3;
const TRIES = 2;

const PARTS: readonly (() => Promise<readonly Figure[]>)[] = [
  async () => (await measureTaskTokens()).figures,
  () => measureChatSend(QUICK),
  async () => (chromiumPath ? measureFirstToken() : []),
  async () => (await benchPipe(1, [10])).filter(({ name }) => name.includes('p50')),
];

const eased = (figure: Figure): Figure =>
  figure.limit === undefined || !/time|overhead|chunk/u.test(figure.name) ? figure : { ...figure, limit: figure.limit * SLACK };

/** Figures with a limit, each part measured again if it misses one. */
export async function benchShort(): Promise<readonly Figure[]> {
  const all: Figure[] = [];
  for (const measure of PARTS) {
    let figures: readonly Figure[] = [];
    for (let left = TRIES; left > 0; left--) {
      figures = (await measure()).map(eased).filter(({ limit }) => limit !== undefined);
      if (figures.every(passes)) break;
    }
    all.push(...figures);
  }
  return all;
}
