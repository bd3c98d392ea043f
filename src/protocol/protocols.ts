import { ToolError } from '../tools/contract/errors.ts';
import type { ToolCallConfig } from '../tools/contract/tool-call-config.ts';
import type { ToolCallingProtocol } from './contract.ts';
import { TAGGED_JSON } from './tagged-json.ts';
import { VCP } from './vcp/vcp.ts';

/** Every protocol; the first is used if none is named. */
export const PROTOCOLS: readonly [ToolCallingProtocol, ...ToolCallingProtocol[]] = [VCP, TAGGED_JSON];

export function protocolById(id: string): ToolCallingProtocol {
  const found = PROTOCOLS.find((protocol) => protocol.id === id);
  if (found) return found;
  const known = PROTOCOLS.map((protocol) => protocol.id).join(', ');
  throw new ToolError('bad_arguments', `there is no protocol "${id}"`, `use one of: ${known}`);
}

export function textProtocolOf(choice: ToolCallConfig['protocol']): ToolCallingProtocol {
  return choice === 'auto' || choice === 'native' ? PROTOCOLS[0] : protocolById(choice);
}
