import type { Tool, ToolGroup } from '../../tools/contract/types.ts';
import { READ_SKILL } from '../../tools/groups/common/beyond-notes.ts';
import { defineTool, READ_FREELY, textArgument } from '../../tools/util/define.ts';
import type { Skills } from './skills.ts';

/** Group `skills`: the user's own instructions, of which a request has one line each until one is needed. */
export function createSkillsGroup(skills: Skills): ToolGroup {
  return {
    name: 'skills',
    prepare: (signal) => skills.refresh(signal),
    rulePrompt: (names) => (names.includes(READ_SKILL.name) ? listing(skills) : ''),
    tools: [createReadSkill(skills)],
  };
}

function listing({ offered }: Skills): string {
  const lines = offered.map(({ name, description }) => `- ${name}${description === '' ? '' : `: ${description}`}`);
  return ['Instructions that the user wrote for certain tasks. When one fits, read it with `read_skill` before you begin:', ...lines].join(
    '\n',
  );
}

function createReadSkill(skills: Skills): Tool {
  return defineTool({
    name: READ_SKILL.name,
    description: 'Read instructions of the user for a kind of task, by their name.',
    properties: { name: { type: 'string', minLength: 1 } },
    required: ['name'],
    ...READ_FREELY,
    isSetUp: () => skills.offered.length > 0,
    SKIP_EXTERNAL_TRUNCATE: true,
    execute: (args, { signal }) => skills.read(textArgument(args, 'name') ?? '', signal),
  });
}
