import type { OpenChatGroup } from '../../app/workspace/chat-tools.ts';
import { PROPOSE_PLAN } from '../../tools/groups/common/beyond-notes.ts';
import { defineTool, WRITE_ASKING } from '../../tools/util/define.ts';
import { lazyPart } from '../../tools/util/lazy.ts';

const RULES =
  'Plan first: read, but change nothing before propose_plan with all changes that you intend was accepted. Then carry it out step by step.';

/** Group `plan`: offered in a chat that plans first, in which it holds writes until a list of them is accepted. */
export const planGroup: OpenChatGroup = ({ chat }) => {
  const isOn = (): boolean => chat?.settings().planFirst === true;
  const load = lazyPart(async () => {
    const { PlannedSteps } = await import('./planned-steps.ts');
    return new PlannedSteps(() => chat?.thread() ?? []);
  });
  return {
    name: 'plan',
    rulePrompt: (names) => (names.includes(PROPOSE_PLAN.name) ? RULES : ''),
    gate: async (call) => (isOn() ? (await load()).gate(call) : []),
    tools: [
      defineTool({
        name: PROPOSE_PLAN.name,
        description: 'Propose your changes as a list for the user to accept.',
        properties: {
          steps: {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: 300 },
            minItems: 1,
            maxItems: 50,
            description: 'one change each: the title of the note, then what is done',
          },
        },
        required: ['steps'],
        ...WRITE_ASKING,
        leastPolicy: 'ask-always',
        isSetUp: isOn,
        literalArguments: true,
        recordsRevised: true,
        publicResult: true,
        plan: async (args, { callId }) => (await load()).plan(args, callId),
        execute: async (args, context) => (await load()).accept(args, context),
      }),
    ],
  };
};
