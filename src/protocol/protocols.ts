import type { ToolCallingProtocol } from './contract.ts';
import { TAGGED_JSON } from './tagged-json.ts';
import { VCP } from './vcp/vcp.ts';

/** Every protocol; the first is taken where none is named. */
export const PROTOCOLS: readonly ToolCallingProtocol[] = [VCP, TAGGED_JSON];

/** Undefined for an id that no protocol has. */
export function findProtocol(id: string): ToolCallingProtocol | undefined {
  return PROTOCOLS.find((protocol) => protocol.id === id);
}
