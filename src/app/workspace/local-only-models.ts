import type { Settings } from '../../host/settings/settings-format.ts';
import { isLocalAddress } from '../../model/local-address.ts';
import type { Provider } from '../../model/provider.ts';
import { type EventError, ToolError } from '../../tools/contract/errors.ts';

/** Whether an address is on this machine or its network. */
export const isLocalProvider = ({ kind, baseURL }: Pick<Provider, 'kind' | 'baseURL'>): boolean =>
  kind === 'served' || isLocalAddress(baseURL);

/** Why “Local only” forbids requests to a provider, for an answer or for its models; undefined if it does not. */
export function localOnlyError({ id, name, kind, baseURL }: Provider, now: Settings): EventError | undefined {
  if (!now.localOnly || isLocalProvider({ kind, baseURL }) || now.remoteProviders.includes(id)) return undefined;
  return {
    code: 'model_not_local',
    message: `${name} is not on this machine or network, and only local models are allowed`,
    next: 'allow this provider, choose a local model, or switch “Local only” off',
  };
}

/** Whether searches may ask SiYuan's embedding service: one on this machine or its network, or the one that the person allowed. */
export const maySearchBy = (server: string, { localOnly, meaningService }: Pick<Settings, 'localOnly' | 'meaningService'>): boolean =>
  isLocalAddress(server) || (!localOnly && meaningService === server);

/** Throws ToolError `model_not_local` if a provider may not be asked. */
export function requireAllowed(provider: Provider, now: Settings): void {
  const closed = localOnlyError(provider, now);
  if (closed) throw new ToolError(closed.code, closed.message, closed.next);
}
