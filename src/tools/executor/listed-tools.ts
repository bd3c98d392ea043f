import type { ToolDefinition } from '../contract/messages.ts';
import type { Tool, ToolEffect, ToolPermissionV2 } from '../contract/types.ts';
import { compareTexts } from '../util/plain-value.ts';
import type { AskedWhen } from './call-approval.ts';

export interface ToolGroupState {
  readonly name: string;
  readonly enabled: boolean;
  /** Instructions that come with the group, read when they are needed. */
  readonly skills: readonly { readonly id: string; readonly description: string; readonly isOn: boolean }[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly enabled: boolean;
    /** The model has it now: some of group `vars` are included with any other group. */
    readonly callable: boolean;
    readonly permission: ToolPermissionV2;
    /** It changes notes or sends something: without asking, it would do so unseen. */
    readonly acts: boolean;
    /** It sends something away: once notes were read, each call is shown. */
    readonly sends: boolean;
    readonly leastPolicy: ToolPermissionV2['executionPolicy'];
    readonly isSetUp: boolean;
    /** The times at which its operations ask in this chat; empty if "local only" lets none of them run. */
    readonly asked: readonly AskedWhen[];
  }[];
}

export interface ListedTool {
  readonly group: string;
  readonly definition: ToolDefinition;
  readonly isCallable: boolean;
  readonly effect: ToolEffect;
  /** It is included with any other group, even if its own group is off. */
  readonly isInjected: boolean;
  readonly command?: string;
}

/** Allowed without asking. `scope` null: everywhere, set by the user for the tool; else allowed for this chat. */
export interface GrantedPermission {
  readonly tool: string;
  readonly scope: string | null;
}

interface RegisteredTool {
  readonly tool: Tool;
  readonly group: string;
}

const sortKey = ({ tool, group }: RegisteredTool): string => `${group}\n${tool.definition.function.name}`;

export const byGroupAndName = (left: RegisteredTool, right: RegisteredTool): number => compareTexts(sortKey(left), sortKey(right));

export const isSetUp = (tool: Tool): boolean => tool.isSetUp?.() ?? true;

interface Switched {
  toggleGroupEnabled(name: string, enabled: boolean): unknown;
  setToolEnabled(name: string, enabled: boolean): unknown;
  setPermission(name: string, permission: ToolPermissionV2): unknown;
}

/** Takes over the switches and policies of another executor's groups. */
export function followSwitches(executor: Switched, groups: readonly ToolGroupState[]): void {
  for (const { name, enabled, tools } of groups) {
    executor.toggleGroupEnabled(name, enabled);
    for (const tool of tools) {
      executor.setToolEnabled(tool.name, tool.enabled);
      executor.setPermission(tool.name, tool.permission);
    }
  }
}
