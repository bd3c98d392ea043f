import { groupName, toolName } from '../../../ui/labels/tool-labels.ts';
import type { Translate } from '../../../ui/ports/i18n.ts';
import type { ToolGroupSetting, ToolSetting } from '../../../ui/ports/settings-port.ts';
import type { ToolDescription } from '../tool-tester.ts';

export const ORDERS = ['group', 'name', 'size'] as const;
/** By group, by name without groups, or the groups with the most tools first. */
export type Order = (typeof ORDERS)[number];

export interface FoundTool {
  readonly group: string;
  readonly groupEnabled: boolean;
  readonly tool: ToolSetting;
  readonly label: string;
}

/** Tools under a heading; without one where they are in no groups. */
export interface FoundGroup {
  readonly group: ToolGroupSetting | undefined;
  readonly label: string;
  readonly tools: readonly FoundTool[];
}

interface Looking {
  readonly words: string;
  readonly order: Order;
  readonly describe: (tool: string) => ToolDescription | undefined;
  readonly t: Translate;
}

/** The tools in whose name, group, description or arguments all of the words are. */
export function findTools(groups: readonly ToolGroupSetting[], { words, order, describe, t }: Looking): readonly FoundGroup[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const holds = (text: string): boolean => wanted.every((word) => text.toLocaleLowerCase().includes(word));
  const found = groups.map((group): FoundGroup & { readonly group: ToolGroupSetting } => {
    const label = groupName(group.group, t);
    const tools = group.tools.flatMap((tool): FoundTool[] => {
      const name = toolName(tool.name, t);
      const { description = '', parameters = {} } = describe(tool.name)?.definition.function ?? {};
      const text = [tool.name, name, group.group, label, description, JSON.stringify(parameters)].join('\n');
      return holds(text) ? [{ group: group.group, groupEnabled: group.enabled, tool, label: name }] : [];
    });
    return { group, label, tools };
  });
  const left = found.filter(({ tools }) => tools.length > 0);
  if (order === 'name') {
    const all = left.flatMap(({ tools }) => tools).sort((one, other) => one.label.localeCompare(other.label, t('language.tag')));
    return all.length === 0 ? [] : [{ group: undefined, label: '', tools: all }];
  }
  const byLabel = (one: FoundGroup, other: FoundGroup): number => one.label.localeCompare(other.label, t('language.tag'));
  if (order === 'group') return left.sort(byLabel);
  return left.sort((one, other) => other.group.tools.length - one.group.tools.length || byLabel(one, other));
}
