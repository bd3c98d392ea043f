import { compareTexts } from '../../tools/util/plain-value.ts';
import type { Node, Payload, Stamp } from './types.ts';

/** If two devices changed the same thing at the same time, any order will do, as long as every device finds the same one. */
export function compareValues(left: unknown, right: unknown): number {
  const [one = '', other = ''] = [left, right].map((value) => (value === undefined || value === null ? '' : JSON.stringify(value)));
  return compareTexts(one, other);
}

export function compareStamps(left: Stamp | undefined, right: Stamp | undefined): number {
  if (!left || !right) return Number(left !== undefined) - Number(right !== undefined);
  return left.time - right.time || compareTexts(left.device, right.device);
}

/** The stamp of a change made after `before`: later than that, even if this device's clock is behind. */
export function nextStamp(before: Stamp | undefined, now: Stamp): Stamp {
  return before && before.time >= now.time ? { ...now, time: before.time + 1 } : now;
}

/** A version is written once: if two copies differ, one was saved while it was being written. */
function comparePayloads(left: Payload, right: Payload): number {
  const finished = (payload: Payload): number => Number(payload.status !== 'interrupted');
  const done = ({ toolChainResult }: Payload): number =>
    toolChainResult?.toolCallHistory.filter(({ result }) => result.status !== 'interrupted').length ?? 0;
  const said = (payload: Payload): number => payload.message.content.length;
  return finished(left) - finished(right) || done(left) - done(right) || said(left) - said(right) || compareValues(left, right);
}

function mergeVersions(mine: Node['versions'], theirs: Node['versions']): Node['versions'] {
  const news = Object.entries(theirs).filter(([id, payload]) => {
    const known = mine[id];
    return !known || (known !== payload && comparePayloads(known, payload) < 0);
  });
  return news.length === 0 ? mine : { ...mine, ...Object.fromEntries(news) };
}

/** Even: alive, odd: deleted. The larger one wins, so a deletion wins over every other change except its own undo. */
const lifeOf = ({ restored = 0, deleted = false }: Node): number => 2 * restored + Number(deleted);

function registerOf({ versions: _versions, deleted: _deleted, restored: _restored, ...register }: Node) {
  return register;
}

/** Merges two copies of a message: versions stay, a deletion wins until undone, else the last change; `mine` if nothing is new. */
export function mergeNodes(mine: Node, theirs: Node): Node {
  if (mine === theirs) return mine;
  const order = compareStamps(mine.changed, theirs.changed) || compareValues(registerOf(mine), registerOf(theirs));
  const versions = mergeVersions(mine.versions, theirs.versions);
  const life = Math.max(lifeOf(mine), lifeOf(theirs));
  if (order >= 0 && versions === mine.versions && life === lifeOf(mine)) return mine;
  return {
    ...registerOf(order >= 0 ? mine : theirs),
    versions,
    ...(life % 2 === 1 ? { deleted: true } : {}),
    ...(life > 1 ? { restored: Math.floor(life / 2) } : {}),
  };
}
