import { ToolError, toToolError } from '../contract/errors.ts';
import type { ToolCall, ToolDefinition } from '../contract/messages.ts';
import type { Clock } from '../contract/ports.ts';
import { isPrivateVariable } from '../contract/private-text.ts';
import { NO_NOTES, type NoteRights } from '../contract/provenance.ts';
import type { SkillSwitches } from '../contract/skill-switches.ts';
import { DEFAULT_TOOL_CALL_BEHAVIOR, type ToolCallBehavior } from '../contract/tool-call-config.ts';
import type {
  ApprovalAdapter,
  CallTraits,
  SubAgentName,
  Tool,
  ToolArguments,
  ToolEffect,
  ToolExecuteResult,
  ToolGroup,
  ToolPermissionV2,
} from '../contract/types.ts';
import { NEVER } from '../util/abort.ts';
import { lazyPart } from '../util/lazy.ts';
import { meantName, nearNames } from '../util/near-names.ts';
import { compareTexts } from '../util/plain-value.ts';
import { ApprovalRecords } from './approval-records.ts';
import { HeadlessApprovalAdapter } from './approvals.ts';
import { parseArguments } from './arguments.ts';
import { type AskedWhen, actsOnWorld, askedWhen, traitsOfAll } from './call-approval.ts';
import type { ToolFit } from './fit-tools.ts';
import { isLegalName } from './legal-calls.ts';
import { byGroupAndName, type GrantedPermission, isSetUp, type ListedTool, type ToolGroupState } from './listed-tools.ts';
import { describeReturn, offeredTool } from './portable-schema.ts';
import { type Call, type CallEnvironment, type ExecuteOptions, reportArguments } from './prepare-call.ts';
import { type LetsThrough, RanTools } from './ran-tools.ts';
import { keepFailure } from './result-text.ts';
import { abortedResult, failureResult, notFoundResult, withArgumentSources } from './results.ts';
import { callsHeldBack, type RoundStart, type StartingCall } from './start-round.ts';
import { loadRule, registerRules, renderGroupRules, renderToolRules, skillsOfGroup } from './tool-rules.ts';
import { createUseTool, describeTool, type ToolsToFit, USE_TOOL, usedCall } from './use-tool.ts';
import { VariableRights, type WrittenFrom } from './variable-rights.ts';
import { VariableSystem } from './variables.ts';
import { createVarsGroup } from './vars.ts';

export type { GrantedPermission, ListedTool, ToolGroupState } from './listed-tools.ts';

const loadCalls = lazyPart(() => import('./execute-call.ts'));

export interface ToolExecutorOptions extends Partial<Pick<CallEnvironment, 'answersForms'>> {
  /** Default: nobody is there, so every request is rejected. */
  readonly approvalAdapter?: ApprovalAdapter;
  readonly clock: Clock;
  /** How the model's calls run; read before each. Default: at once, in parallel, 30 seconds each. */
  readonly behavior?: () => ToolCallBehavior;
  /** Milliseconds for one call, instead of those of `behavior`. */
  readonly timeoutMs?: number;
  /** Milliseconds in which an aborted write may still report its outcome. Default 5,000. */
  readonly graceMs?: number;
  /** The user's own policies by tool name; they replace the tool's. */
  readonly permissions?: Readonly<Record<string, Partial<ToolPermissionV2>>>;
  /** True: nothing may leave this machine; read before each call that would send. Default: it may, if approved. */
  readonly localOnly?: () => boolean;
  /** The rights over text that was read earlier. Default: for executors without notes. */
  readonly rights?: NoteRights;
  /** Skills that the user switched off or on; read before each turn. Default: all that come with the tools are on. */
  readonly skills?: () => SkillSwitches;
  /** The sub-agent that these tools belong to: it cannot allow anything for the chat, and every approval names it. */
  readonly subAgent?: SubAgentName;
  readonly varSystem?: VariableSystem;
  readonly letsThrough?: LetsThrough | undefined;
}

/** Schedules a call with its neighbours: reads in parallel; writes that need approval as one batch, in order. */
export type CallSchedule = 'parallel' | 'reviewed' | 'alone';

const STRICTEST: CallTraits = { effect: 'write', permission: { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' } };

const OTHERS = '*';
const POLICIES: readonly ToolPermissionV2['executionPolicy'][] = ['auto', 'ask-once', 'ask-always'];

const NO_SESSION = { sessionId: '', nodeId: '', signal: NEVER };

/** Injected if any group is on. */
const INJECTED = ['ReadVar', 'ListVars', USE_TOOL.name];

/** The registry and the only access to every tool. One instance per chat. `execute` never throws. */
export class ToolExecutor {
  readonly varSystem: VariableSystem;
  readonly approvalRecords = new ApprovalRecords();
  private readonly registry = new Map<string, { readonly tool: Tool; readonly group: string }>();
  /** Not listed: offered in place of tools that are rarely needed. */
  private readonly useTool = createUseTool((name) => describeTool(this.meantTool(name), this.toolsToFit()));
  private readonly groupRegistry = new Map<string, ToolGroup>();
  private readonly enabledGroups = new Set<string>();
  private readonly toolSwitches = new Map<string, boolean>([[USE_TOOL.name, true]]);
  private readonly permissions = new Map<string, Partial<ToolPermissionV2>>();
  private readonly varToolNames: ReadonlySet<string>;
  private readonly environment: CallEnvironment;
  private readonly behavior: () => ToolCallBehavior;
  private readonly skills: () => SkillSwitches;
  /** The rights over text that was read earlier: used here for variables, and for requests where they are made. */
  readonly rights: NoteRights;
  private writtenFrom: (node: string) => WrittenFrom | undefined = () => undefined;
  private approvalCount = 0;
  private ownCalls = 0;
  private notesRead = false;
  readonly ran = new RanTools();
  /** Null: every enabled tool is offered. */
  toolFit: ToolFit | null = null;
  private chooseTools: ((tools: ToolsToFit) => ToolFit | null) | null = null;

  constructor(options: ToolExecutorOptions) {
    this.varSystem = options.varSystem ?? new VariableSystem({ clock: options.clock });
    for (const [tool, permission] of Object.entries(options.permissions ?? {})) this.permissions.set(tool, permission);
    this.rights = options.rights ?? NO_NOTES;
    const variableRights = new VariableRights(this.rights, (node) => this.writtenFrom(node));
    this.behavior = options.behavior ?? (() => DEFAULT_TOOL_CALL_BEHAVIOR);
    this.skills = options.skills ?? (() => ({}));
    this.environment = this.createEnvironment(options, variableRights);
    const vars = createVarsGroup(this.varSystem, variableRights, (name) => loadRule(this.varSystem, this.groupRegistry.values(), name));
    this.varToolNames = new Set(vars.tools.map((tool) => tool.definition.function.name));
    this.registerToolGroup(vars);
  }

  /** Groups start disabled, tools enabled. Throws, registering nothing, if a name is taken or illegal: a programmer's error. */
  registerToolGroup(group: ToolGroup): void {
    if (this.groupRegistry.has(group.name)) throw new Error(`tool group "${group.name}" is already registered`);
    const names = group.tools.map((tool) => tool.definition.function.name);
    for (const [index, name] of names.entries()) {
      if (!isLegalName(name)) throw new Error(`tool "${name}" is not a valid function name: use up to 64 letters, digits, _ and -`);
      if (this.registry.has(name) || names.indexOf(name) < index) throw new Error(`tool "${name}" is already registered`);
    }
    registerRules(this.varSystem, group, this.groupRegistry.values());
    for (const [index, tool] of group.tools.entries()) this.registry.set(names[index] ?? '', { tool, group: group.name });
    this.groupRegistry.set(group.name, group);
  }

  /** A group whose server is gone or has changed it: what was allowed for its tools is asked again. */
  unregisterToolGroup(name: string): void {
    for (const [tool, { group }] of this.registry) if (group === name && this.registry.delete(tool)) this.approvalRecords.forget(tool);
    this.groupRegistry.delete(name);
    this.enabledGroups.delete(name);
  }

  isGroupEnabled(name: string): boolean {
    return this.enabledGroups.has(name);
  }

  toggleGroupEnabled(name: string, enabled: boolean = !this.isGroupEnabled(name)): void {
    if (enabled && this.groupRegistry.has(name)) this.enabledGroups.add(name);
    else this.enabledGroups.delete(name);
  }

  isToolEnabled(name: string): boolean {
    return this.entryOf(name) !== undefined && (this.toolSwitches.get(name) ?? this.toolSwitches.get(OTHERS) ?? true);
  }

  setToolEnabled(name: string, enabled: boolean): void {
    this.toolSwitches.set(name, enabled);
  }

  private readonly entryOf = (name: string) =>
    this.registry.get(name) ?? (name === USE_TOOL.name ? { tool: this.useTool, group: 'vars' } : undefined);

  isCallable(name: string): boolean {
    const entry = this.entryOf(name);
    return this.behavior().enabled && this.isSwitchedOn(name) && entry !== undefined && isSetUp(entry.tool);
  }

  private isSwitchedOn(name: string): boolean {
    const entry = this.entryOf(name);
    // A group that is on, but has nothing that is set up, offers nothing, and brings nothing along.
    const offers = (group: string): boolean => this.groupRegistry.get(group)?.tools.some(isSetUp) ?? false;
    const injected = INJECTED.includes(name) && [...this.enabledGroups].some(offers);
    return entry !== undefined && (injected || this.isGroupEnabled(entry.group)) && this.isToolEnabled(name);
  }

  hasEnabledTools(): boolean {
    return this.callableNames().length > 0;
  }

  /** As offered to a model, by group and name and not by the order of switching on: the same set gives the same text (prompt cache). */
  getEnabledToolDefinitions(): readonly ToolDefinition[] {
    return this.toolFit?.definitions.filter(({ function: { name } }) => this.isCallable(name)) ?? this.enabledDefinitions();
  }

  private enabledDefinitions(): readonly ToolDefinition[] {
    return this.listTools().flatMap(({ definition, isCallable, group, command, effect }) =>
      isCallable ? [{ ...offeredTool(definition), group, effect, ...(command === undefined ? {} : { command }) }] : [],
    );
  }

  listTools(): readonly ListedTool[] {
    return [...this.registry.values()].sort(byGroupAndName).map(({ tool, group }) => {
      const { name } = tool.definition.function;
      const command = tool.protocolConfig?.vcpCommand;
      return {
        group,
        definition: describeReturn(tool),
        isCallable: this.isCallable(name),
        isInjected: INJECTED.includes(name),
        ...{ command, effect: tool.effect },
      };
    });
  }

  /** Before each turn: groups look up what their rules list. Rejects only on abort. */
  async prepareGroups(signal: AbortSignal): Promise<void> {
    const enabled = [...this.groupRegistry.values()].filter(({ name }) => this.behavior().enabled && this.isGroupEnabled(name));
    await Promise.all(enabled.map((group) => group.prepare?.(signal)));
  }

  toolRules(): string {
    return this.toolFit?.rules ?? renderToolRules(this.groupsToRender());
  }

  /** Selects what is offered; null: every enabled tool. Without `choose`, selects again. Other enabled tools can still be called. */
  fitTools(choose: ((tools: ToolsToFit) => ToolFit | null) | null = this.chooseTools): void {
    this.chooseTools = choose;
    this.toolFit = choose?.(this.toolsToFit()) ?? null;
  }

  private toolsToFit(): ToolsToFit {
    const groups = (isOffered: (tool: string) => boolean) =>
      this.groupsToRender()
        .map(({ enabledToolNames, ...each }) => ({ ...each, enabledToolNames: enabledToolNames.filter(isOffered) }))
        .filter(({ enabledToolNames }) => enabledToolNames.length > 0);
    return {
      definitions: this.enabledDefinitions(),
      byNeed: this.registry.has(USE_TOOL.name) ? null : (name) => this.getTool(name)?.byNeed,
      rules: (isOffered) => renderToolRules(groups(isOffered)),
      groupRules: (isOffered) => renderGroupRules(groups(isOffered)),
    };
  }

  private groupsToRender() {
    return [...this.groupRegistry.values()]
      .sort((left, right) => compareTexts(left.name, right.name))
      .filter((group) => this.isGroupEnabled(group.name))
      .map((group) => ({
        group,
        skills: this.skills(),
        enabledToolNames: group.tools.map((tool) => tool.definition.function.name).filter((name) => this.isCallable(name)),
      }));
  }

  groups(): readonly ToolGroupState[] {
    return [...this.groupRegistry.values()].map((group) => ({
      name: group.name,
      enabled: this.isGroupEnabled(group.name),
      skills: skillsOfGroup(group, this.skills()),
      tools: group.tools.map((tool) => {
        const { name, description } = tool.definition.function;
        const { permission } = this.ownTraits(tool);
        return {
          name,
          description,
          enabled: this.isToolEnabled(name),
          callable: this.isCallable(name),
          permission,
          acts: actsOnWorld(tool),
          sends: tool.effect === 'outgoing',
          leastPolicy: tool.leastPolicy ?? 'auto',
          isSetUp: isSetUp(tool),
          asked: this.askedOf(tool),
        };
      }),
    }));
  }

  /** The times at which its operations ask in this chat; empty if "local only" lets none of them run. */
  private askedOf(tool: Tool): readonly AskedWhen[] {
    const about = { notesRead: this.environment.hasReadNotes(), mustBeSeen: this.behavior().requireConfirmation };
    const all = traitsOfAll(tool).map((traits) => this.permitted(tool, traits));
    const running = this.environment.localOnly() ? all.filter(({ effect }) => effect !== 'outgoing') : all;
    return [...new Set(running.map((traits) => askedWhen(traits, about)))];
  }

  /** Writes and sends that run without asking, judged as the gate would. */
  grantedPermissions(): readonly GrantedPermission[] {
    if (this.behavior().requireConfirmation) return [];
    const notesRead = this.environment.hasReadNotes();
    const unasked = [...this.registry].flatMap(([name, { tool }]) => {
      const isUnasked = askedWhen(this.ownTraits(tool), { notesRead, mustBeSeen: false }) === 'never';
      return isUnasked && actsOnWorld(tool) && this.isCallable(name) ? [{ tool: name, scope: null }] : [];
    });
    return [...unasked, ...this.approvalRecords.list()];
  }

  /** Tells if the model has a tool whose calls run, and whose results reach it, without asking. */
  readsUnasked(name: string): boolean {
    const tool = this.getTool(name);
    const { mode, requireConfirmation } = this.behavior();
    if (tool === undefined || !this.isCallable(name) || mode === 'manual' || requireConfirmation) return false;
    const { executionPolicy, resultApprovalPolicy } = this.ownTraits(tool).permission;
    return executionPolicy === 'auto' && resultApprovalPolicy === 'never';
  }

  /** The user's own policy for a tool, or for `*`; null restores the tool's. */
  setPermission(name: string, permission: Partial<ToolPermissionV2> | null): void {
    if (permission === null) this.permissions.delete(name);
    else this.permissions.set(name, permission);
  }

  effectOf(name: string, raw: unknown): ToolEffect {
    return this.foreseenTraits(name, raw)?.effect ?? 'read';
  }

  scheduleOf(name: string, raw: unknown): CallSchedule {
    const { parallelExecution, requireConfirmation } = this.behavior();
    if (!parallelExecution || requireConfirmation) return 'alone';
    const traits = this.foreseenTraits(name, raw);
    if (traits === undefined || traits.effect === 'read') return 'parallel';
    return traits.effect === 'write' && traits.permission.executionPolicy !== 'auto' ? 'reviewed' : 'alone';
  }

  getTool(name: string): Tool | undefined {
    return this.entryOf(name)?.tool;
  }

  definitionOf(name: string): ToolDefinition | undefined {
    const tool = this.getTool(name);
    return tool && describeReturn(tool);
  }

  /** Private text has reached the model in another way than by a tool: from now on everything that leaves the machine is shown. */
  noteNotesRead(): void {
    this.notesRead = true;
  }

  /** Tells if the model was given private text, or may read some in a variable. */
  get givenPrivate(): boolean {
    return this.notesRead || this.varSystem.listVariables().some(isPrivateVariable);
  }

  /** The sources that the model had seen when it wrote in a message: its variables are withheld together with that. */
  setWrittenFrom(writtenFrom: (node: string) => WrittenFrom | undefined): void {
    this.writtenFrom = writtenFrom;
  }

  /** New chat: consent, variables and the record of reads are dropped; switches stay. */
  reset(): void {
    this.approvalRecords.clear();
    this.varSystem.clear();
    this.notesRead = false;
    this.ran.clear();
  }

  /** The calls of a round that do not start, with their results; in manual mode it waits for the person. Called before any is executed. */
  heldBack(calls: readonly StartingCall[], start: RoundStart): Promise<ReadonlyMap<string, ToolExecuteResult>> {
    return callsHeldBack(this.environment, calls, start);
  }

  /** One call through every gate; every outcome is a result. `args`: JSON text or an object. Every option may be left out. */
  async execute(name: string, args: string | ToolArguments, given: Partial<ExecuteOptions> = {}): Promise<ToolExecuteResult> {
    let prepared: Call | undefined;
    const onPrepared = (call: Call): void => {
      prepared = call;
      reportArguments(call);
    };
    const options = { callId: given.callId ?? `call-${++this.ownCalls}`, ...NO_SESSION, ...given };
    try {
      const { executeCall } = await loadCalls();
      const meant = this.meantTool(name);
      const entry = this.entryOf(meant);
      if (entry === undefined) return notFoundResult(String(name), nearNames(String(name), this.callableNames()));
      if (options.signal.aborted) return abortedResult();
      this.requireEnabled(meant, options);
      return withArgumentSources(await executeCall(this.environment, entry.tool, args, options, onPrepared), prepared);
    } catch (error) {
      // Whatever throws here does so before the tool ran.
      const failure = withArgumentSources(failureResult(toToolError(error)), prepared);
      if (failure.quoted) this.noteNotesRead();
      return keepFailure(this.varSystem, { name, ...options }, failure);
    }
  }

  /** A call by a person runs even while the model has no tools. A tool that lacks something reports it itself. */
  private requireEnabled(name: string, { confirmed }: Pick<ExecuteOptions, 'confirmed'>): void {
    if (this.isSwitchedOn(name) && (confirmed === true || this.behavior().enabled)) return;
    if (!this.behavior().enabled) throw new ToolError('tool_disabled', 'tool calls are switched off', 'answer without tools');
    throw new ToolError('tool_disabled', `${name} is switched off`, 'go on without it, or ask the user to switch it on under Tools');
  }

  /** The registered name of the tool that a name means; the name itself if it means none, or more than one. */
  meantTool(name: string): string {
    return this.registry.has(name) ? name : (meantName(String(name), [...this.registry.keys()]) ?? name);
  }

  /** A call under the registered name of the tool that it runs: it is run, shown and sent back as that. */
  meantCall(call: ToolCall): ToolCall {
    const used = usedCall(call) ?? call.function;
    const name = this.meantTool(used.name);
    return name === call.function.name ? call : { ...call, function: { ...used, name } };
  }

  private callableNames(): readonly string[] {
    return [...this.registry.keys()].filter((name) => this.isCallable(name));
  }

  private traitsOf(tool: Tool, args: ToolArguments): CallTraits {
    return this.permitted(tool, tool.traits === undefined ? tool : tool.traits(args));
  }

  /** The traits of its strictest operation, as the tool declares them. */
  private readonly ownTraits = (tool: Tool): CallTraits => this.permitted(tool, tool);

  /** The user's own policy instead of the tool's, but never weaker than the tool's minimum. */
  private permitted({ definition, leastPolicy }: Tool, { effect, permission }: CallTraits): CallTraits {
    const wanted = { ...permission, ...(this.permissions.get(definition.function.name) ?? this.permissions.get(OTHERS)) };
    const isLess = leastPolicy !== undefined && POLICIES.indexOf(wanted.executionPolicy) < POLICIES.indexOf(leastPolicy);
    return { effect, permission: isLess ? { ...wanted, executionPolicy: leastPolicy } : wanted };
  }

  /** Before the arguments are resolved. If they cannot be parsed, the strictest: such a call fails when it is executed. */
  private foreseenTraits(name: string, raw: unknown): CallTraits | undefined {
    const tool = this.getTool(name);
    if (tool === undefined) return undefined;
    try {
      return this.traitsOf(tool, tool.traits === undefined ? {} : parseArguments(raw));
    } catch {
      return STRICTEST;
    }
  }

  private createEnvironment(options: ToolExecutorOptions, variableRights: VariableRights): CallEnvironment {
    return {
      variables: this.varSystem,
      approvalRecords: this.approvalRecords,
      approvalAdapter: options.approvalAdapter ?? new HeadlessApprovalAdapter(),
      rights: this.rights,
      subAgent: options.subAgent,
      variableRights,
      behavior: () => (options.timeoutMs === undefined ? this.behavior() : { ...this.behavior(), timeout: options.timeoutMs }),
      ...{ graceMs: options.graceMs ?? 5000, answersForms: options.answersForms === true },
      nextApprovalId: (callId) => `${callId}-approval-${++this.approvalCount}`,
      // The task of a sub-agent may contain text of notes.
      hasReadNotes: () => options.subAgent !== undefined || this.givenPrivate,
      noteNotesRead: () => this.noteNotesRead(),
      noteRun: (name) => this.ran.add(name),
      letsThrough: this.ran.asker(options.letsThrough, (name) => this.entryOf(name)?.group),
      localOnly: options.localOnly ?? (() => false),
      traitsOf: (tool, args) => this.traitsOf(tool, args),
      requireEnabled: (name, options) => this.requireEnabled(name, options),
      resultTokens: () => this.toolFit?.resultTokens,
      cachesResults: (name) => !this.varToolNames.has(name),
      gate: async (call) => (await Promise.all([...this.groupRegistry.values()].map(({ gate }) => gate?.(call) ?? []))).flat(),
    };
  }
}
