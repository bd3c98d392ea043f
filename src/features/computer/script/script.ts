import { ToolError } from '../../../tools/contract/errors.ts';
import type { ProgramRequest, ProgramsPort } from '../../../tools/contract/programs-port.ts';
import type { Tool, ToolArguments, ToolContext, ToolExecuteResult, ToolGroup } from '../../../tools/contract/types.ts';
import { EXEC, RUN_SCRIPT } from '../../../tools/groups/common/beyond-notes.ts';
import { defineTool, numberArgument, RUN_ASKING, textArgument } from '../../../tools/util/define.ts';
import { describeEnd, requireWithin } from './describe-end.ts';

const TIMEOUT = { default: 60, max: 600 };
/** Characters: what a person can be expected to read before it runs. */
const MAX_CODE = 50_000;

/** Group `script`: commands and scripts written by the model. Each is shown completely before it runs. */
export function createScriptGroup(programs: ProgramsPort): ToolGroup {
  return { name: 'script', tools: [createExec(programs), createRunScript(programs)] };
}

const timeout = {
  type: 'integer',
  minimum: 1,
  maximum: TIMEOUT.max,
  description: `time limit in seconds; default ${TIMEOUT.default}, at most ${TIMEOUT.max}`,
};

function createExec(programs: ProgramsPort): Tool {
  return defineProgram(programs, {
    name: EXEC.name,
    description: `Execute shell command with ${programs.shell} on the user's computer; returns exit code, stdout and stderr. No input; background processes are ended. The user approves and sees all of it each time: keep it short and plain.`,
    properties: {
      command: { type: 'string', maxLength: MAX_CODE },
      timeout,
      folder: { type: 'string', description: 'working directory, in the allowed folders; default: the working folder' },
    },
    required: ['command'],
    request: (args) => ({
      language: 'shell',
      code: textArgument(args, 'command') ?? '',
      folder: textArgument(args, 'folder') || undefined,
    }),
  });
}

function createRunScript(programs: ProgramsPort): Tool {
  return defineProgram(programs, {
    name: RUN_SCRIPT.name,
    description:
      'Run a script once on the user’s computer, in the working folder: Python 3 or JavaScript (Node), standard library only. Print what you need to see. The user approves and sees all of it each time.',
    properties: { language: { enum: ['python', 'javascript'] }, code: { type: 'string', maxLength: MAX_CODE }, timeout },
    required: ['language', 'code'],
    request: (args) => ({ language: args.language === 'python' ? 'python' : 'javascript', code: textArgument(args, 'code') ?? '' }),
  });
}

interface ProgramTool extends Pick<Parameters<typeof defineTool>[0], 'name' | 'description' | 'properties' | 'required'> {
  readonly request: (args: ToolArguments) => Omit<ProgramRequest, 'timeoutSeconds'>;
}

function defineProgram(programs: ProgramsPort, { request, ...parts }: ProgramTool): Tool {
  return defineTool({
    ...parts,
    ...RUN_ASKING,
    leastPolicy: 'ask-always',
    limitsItself: true,
    program: async (args) => {
      const wanted = request(args);
      if (wanted.code.trim() === '')
        throw new ToolError('empty_text', 'there is nothing to run', `call ${parts.name} again with what to run`);
      return programs.prepare({ ...wanted, timeoutSeconds: numberArgument(args, 'timeout', TIMEOUT.default) });
    },
    execute: async (_args, context) => run(programs, context),
  });
}

async function run(programs: ProgramsPort, { program, signal }: ToolContext): Promise<ToolExecuteResult> {
  if (program === undefined)
    throw new ToolError('not_approved', 'nothing was approved for this call', 'call the tool through the executor');
  const end = await programs.run(program, signal);
  requireWithin(end, program);
  return { status: 'success', data: describeEnd(end), isPrivate: true };
}
