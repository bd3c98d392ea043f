import { ToolError } from '../../../tools/contract/errors.ts';
import type { ProgramEnd } from '../../../tools/contract/programs-port.ts';
import type { ProgramRun, Tool, ToolArguments, ToolContext, ToolExecuteResult, ToolGroup } from '../../../tools/contract/types.ts';
import { parsedJson } from '../../../tools/util/plain-value.ts';
import { keptText, requireWithin } from './describe-end.ts';
import type { ScriptTool } from './script-manifest.ts';

/** A script of the person: `NAME.py` or `NAME.js`, with `NAME.json` beside it. */
export interface CustomScript {
  /** NAME: letters, digits and hyphens. */
  readonly name: string;
  readonly file: string;
  readonly tools: readonly ScriptTool[];
}

export interface CustomScriptsPort {
  /** The current scripts; unreadable ones are left out and reported elsewhere. */
  list(): readonly CustomScript[];
  /** The current script; `isNew` if it was never approved. Rejects with `not_found` or `stale` (it lacks the tool now). */
  prepare(script: CustomScript, tool: string): Promise<ProgramRun>;
  /** Runs the approved result of `prepare`, and records the approval. `input` is passed as standard input. */
  run(program: ProgramRun, input: string, signal: AbortSignal): Promise<ProgramEnd>;
}

/** A group for each script, `script:NAME`, with tools named `script_NAME_tool`: no script can take the name of another tool. */
export function createCustomScriptGroups(scripts: CustomScriptsPort): readonly ToolGroup[] {
  return scripts.list().map((script) => ({
    name: `script:${script.name}`,
    tools: script.tools.map((tool) => createScriptTool(scripts, script, tool)),
  }));
}

function createScriptTool(scripts: CustomScriptsPort, script: CustomScript, tool: ScriptTool): Tool {
  const { description, effect, executionPolicy, resultApprovalPolicy } = tool;
  const name = `script_${script.name}_${tool.name}`;
  return {
    definition: { type: 'function', function: { name, description, parameters: { additionalProperties: false, ...tool.parameters } } },
    permission: { executionPolicy: executionPolicy ?? 'ask-always', resultApprovalPolicy },
    leastPolicy: executionPolicy ?? 'ask-once',
    effect,
    limitsItself: true,
    approvalScope: executionPolicy === 'ask-once' ? () => script.name : undefined,
    program: async () => scripts.prepare(script, tool.name),
    execute: async (args, context) => run(scripts, { file: script.file, tool: tool.name, args }, context),
  };
}

async function run(
  scripts: CustomScriptsPort,
  { file, tool, args }: { readonly file: string; readonly tool: string; readonly args: ToolArguments },
  { program, signal }: ToolContext,
): Promise<ToolExecuteResult> {
  if (program === undefined)
    throw new ToolError('not_approved', 'nothing was approved for this call', 'call the tool through the executor');
  const end = await scripts.run(program, JSON.stringify({ tool, arguments: args }), signal);
  requireWithin(end, program);
  const said = keptText(end.stderr).slice(-1500).trim();
  const failed = (why: string): ToolError =>
    new ToolError('script_failed', `${file} ${why}`, 'try other arguments, or tell the user', undefined, said === '' ? undefined : said);
  if (end.exitCode !== 0) throw failed(end.exitCode === null ? 'was ended by a signal' : `ended with code ${end.exitCode}`);
  if (end.stdout.omitted > 0)
    throw new ToolError('program_limit', `${file} printed more than it is allowed to`, 'ask for less, or tell the user');
  const printed = end.stdout.head.trim();
  const data = parsedJson(printed);
  if (data === undefined) throw failed('printed no JSON');
  // The model reads the printed text: serialized again, a long number would change.
  return { status: 'success', data, formattedText: typeof data === 'string' ? undefined : printed, isPrivate: true };
}
