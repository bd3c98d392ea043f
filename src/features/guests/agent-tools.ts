import { fieldOf } from '../../tools/util/plain-value.ts';

/** What is known of the tool that an agent asks about or uses. A title is for people: it is never read here. */
export interface AskedTool {
  readonly kind?: string | null | undefined;
  /** What the program itself says of the call. */
  readonly _meta?: unknown;
  /** Of most programs the arguments, which its model wrote; of Codex the program's own event. */
  readonly rawInput?: unknown;
}

interface OwnTools {
  /** The name of our server. */
  readonly server: string;
  /** Names of the tools that the session was given. */
  readonly names: ReadonlySet<string>;
}

/** As the program calls itself at the handshake. */
const CODEX = 'codex-acp';

/** What an agent does to the machine, whatever it calls it. */
const OF_THE_MACHINE = new Set(['execute', 'edit', 'delete', 'move']);

export const isOfTheMachine = ({ kind }: AskedTool): boolean => OF_THE_MACHINE.has(kind ?? '');

/** The tool's whole name, which the program keeps beside what its model wrote: Claude Code and Qwen Code. */
function namedByProgram({ _meta }: AskedTool): string {
  const names = [fieldOf(fieldOf(_meta, 'claudeCode'), 'toolName'), fieldOf(_meta, 'toolName')];
  return names.find((name) => typeof name === 'string') ?? '';
}

/** Codex asks with the event of its approval, in which the server is named. */
function isAskedByCodex({ rawInput }: AskedTool, server: string): boolean {
  const request = fieldOf(rawInput, 'request');
  const meta = fieldOf(request, '_meta') ?? fieldOf(request, 'meta');
  return fieldOf(rawInput, 'server_name') === server && fieldOf(meta, 'codex_approval_kind') === 'mcp_tool_call';
}

/** Whether data of the program, none of which its model can write, say that the tool is one of our server. `program`: from the handshake. */
export function isOwnTool(tool: AskedTool, { server, names }: OwnTools, program: string): boolean {
  if (isOfTheMachine(tool) || names.size === 0) return false;
  if (program === CODEX && isAskedByCodex(tool, server)) return true;
  const [, name = ''] = namedByProgram(tool).split(`mcp__${server}__`);
  return names.has(name) && namedByProgram(tool) === `mcp__${server}__${name}`;
}
