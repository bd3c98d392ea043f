import { randomBytes } from 'node:crypto';
import { asChatStorage } from '../../app/workspace/chat-storage.ts';
import { systemClock } from '../../app/workspace/system-clock.ts';
import { Peers } from '../../chat/store/peers.ts';
import { createChatStore } from '../../chat/store/store.ts';
import { onlyWriter } from '../../chat/store/window-registry.ts';
import { openBroadcast } from '../../host/kernel/broadcast.ts';
import type { WorkspaceHost } from './workspace-host.ts';
import type { WorkspaceOptions } from './workspace-types.ts';

/** Each question saves its chat three times. */
const INDEX_LATER_MS = 1000;

const indexLater = (work: () => void): void => void setTimeout(work, INDEX_LATER_MS).unref();
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());

/** The chats, which learn through the kernel what other programs write. */
export function openChatStore(
  { base, connect }: WorkspaceHost,
  { device, unsaved, onProblem }: Pick<WorkspaceOptions, 'device' | 'unsaved' | 'onProblem'>,
  signal: AbortSignal,
) {
  const { now } = systemClock;
  const peers = new Peers({
    ...{ device, now, wait, signal, broadcast: openBroadcast({ connect, signal }) },
    // Each run is a separate writer: what an earlier one noted was cut off.
    registry: { ...onlyWriter(device), id: `${device}_${randomBytes(4).toString('hex')}` },
  });
  const onUnnoted = (error: unknown): void => onProblem?.(`records.db: ${error}; what is said now is only in memory until SiYuan has it`);
  // A question may be as long as a request.
  const noted = { notes: unsaved, prefix: 'chat:', largest: Number.POSITIVE_INFINITY, onProblem: onUnnoted };
  const storage = asChatStorage(base.storage);
  const store = createChatStore({ storage, device, now, writers: peers, channel: peers, unsaved: noted, indexLater });
  store.subscribe((ids) => base.journal.outdate(ids));
  return store;
}
