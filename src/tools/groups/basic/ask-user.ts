import { ToolError } from '../../contract/errors.ts';
import type { AskUser } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolContext } from '../../contract/types.ts';
import { defineTool, READ_FREELY, textArgument, textListArgument } from '../../util/define.ts';

export const ASK_USER = {
  name: 'ask_user',
  kind: 'other',
  icon: 'iconMarginaliaAsk',
  subject: ['question'],
  examples: [{ question: 'Which launch?', options: ['May', 'June'] }],
} as const satisfies ToolInfo;

/** Without a port (service, tests) the model is instructed to ask in its answer instead. */
export function createAskUser(port: AskUser | undefined): Tool {
  return defineTool({
    name: ASK_USER.name,
    description: 'Ask the user one question and wait for the answer. Only when you cannot go on without it.',
    properties: {
      question: { type: 'string', minLength: 1, maxLength: 2000 },
      options: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        maxItems: 8,
        description: 'answers to choose from; the user may write another',
      },
    },
    required: ['question'],
    ...READ_FREELY,
    publicResult: true,
    waitsForUser: true,
    execute: async (args, context) => ({ status: 'success', data: await askPort(port, args, context), trusted: true }),
  });
}

async function askPort(port: AskUser | undefined, args: ToolArguments, context: ToolContext): Promise<string> {
  if (port === undefined) {
    throw new ToolError('nobody_there', 'nobody can be asked while you work', 'put the question into your answer and end the turn there');
  }
  const question = {
    callId: context.callId,
    question: textArgument(args, 'question') ?? '',
    options: [...new Set(textListArgument(args, 'options') ?? [])],
  };
  const answer = await port.ask(question, context.signal);
  if (answer === null || answer.trim() === '') {
    throw new ToolError(
      'no_answer',
      'the user closed the question without an answer',
      'go on without it, or say in your answer what you need',
    );
  }
  return answer;
}
