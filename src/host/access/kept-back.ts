import type { KeptBack, WhyKeptBack } from '../../chat/ports/kept-back.ts';
import { isSeen } from '../../tools/contract/notebook-right.ts';
import { isBlockId } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { isGuarded } from './access-attribute.ts';
import type { AccessPolicy } from './access-policy.ts';

type Routes = Pick<KernelRoutes, 'attributesOf' | 'blockInfo' | 'breadcrumb' | 'notebooks'>;

async function look(routes: Routes, policy: Pick<AccessPolicy, 'right'>, id: string, signal: AbortSignal): Promise<KeptBack | undefined> {
  const { box, path, rootID } = await routes.blockInfo(id, signal);
  if (!isSeen(policy.right(box))) {
    const notebook = (await routes.notebooks(signal)).find((each) => each.id === box);
    return { by: 'notebook', id: box, name: notebook?.name ?? '' };
  }
  const notes = path
    .split('/')
    .map((part) => part.replace(/\.sy$/, ''))
    .filter(isBlockId);
  const around = (await routes.breadcrumb(id, signal)) ?? [];
  const attributes = await routes.attributesOf([...new Set([...notes, ...around.map((each) => each.id), id])], signal);
  // The innermost guarded note is the most specific reason.
  const note = notes.findLast((each) => isGuarded(attributes[each]));
  if (note) return { by: 'note', name: attributes[note]?.title ?? '' };
  return [...around.map((each) => each.id), id].some((each) => each !== rootID && isGuarded(attributes[each]))
    ? { by: 'block' }
    : undefined;
}

export function createWhyKeptBack(routes: Routes, policy: Pick<AccessPolicy, 'right'>): WhyKeptBack {
  return (id, signal) => look(routes, policy, id, signal).catch(() => undefined);
}
