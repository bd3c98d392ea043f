import { NOBODY_ANSWERS } from '../../../app/workspace/chat-executor.ts';
import type { ActivityStore } from '../../../chat/activity/activity.ts';
import { ActivityRecorder } from '../../../chat/activity/recorder.ts';
import type { ChatProject } from '../../../chat/session/chat-project.ts';
import type { ExecutorPorts } from '../../../chat/turn/session-deps.ts';
import type { CallRoom, RunWatch } from '../../../tools/calls/outside-calls.ts';
import { PendingApprovals, type PendingKind, type PendingList } from '../../../tools/calls/pending.ts';
import { runProgramsCall } from '../../../tools/calls/recorded-call.ts';
import type { ChainListener } from '../../../tools/contract/events.ts';
import type { Clock } from '../../../tools/contract/ports.ts';
import type { ToolExecuteResult } from '../../../tools/contract/types.ts';
import { InlineApprovalAdapter } from '../../../tools/executor/approvals.ts';
import type { ToolExecutor } from '../../../tools/executor/executor.ts';
import type { ReadCall } from '../../../tools/executor/legal-calls.ts';
import { followSwitches } from '../../../tools/executor/listed-tools.ts';
import { NEVER } from '../../../tools/util/abort.ts';

export interface PanelRoomDeps {
  /** An executor like a chat's, with its own variables and approvals. */
  readonly executor: (ports: ExecutorPorts) => ToolExecutor;
  /** The tools of the open chat, with its current switches and policies. */
  readonly chat: () => Pick<ToolExecutor, 'groups'>;
  readonly activity: ActivityStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  /** What waits for the person in this window. */
  readonly pending: PendingList;
}

/** Whose calls they are. */
interface RoomOwner {
  readonly from: PendingKind;
  /** For people. */
  readonly name: string;
  readonly sessionId: string;
  /** That it keeps to. */
  readonly project?: ChatProject | undefined;
}

/** Where the calls of another program run in the panel: each is recorded, and what it changes waits for the person here. */
export class PanelRoom {
  private readonly deps: PanelRoomDeps;
  private readonly owner: RoomOwner;
  private readonly executor: ToolExecutor;
  private readonly approvals = new InlineApprovalAdapter();
  private readonly recorder: ActivityRecorder;
  private readonly leavePending: () => void;

  constructor(deps: PanelRoomDeps, owner: RoomOwner) {
    const { name, sessionId, from, project } = owner;
    this.deps = deps;
    this.owner = owner;
    this.executor = deps.executor({ approvalAdapter: this.approvals, askUser: NOBODY_ANSWERS, project });
    this.recorder = new ActivityRecorder({
      ...{ store: deps.activity, sessionId, newId: deps.newId, now: deps.clock.now },
      effectOf: (tool, args) => this.executor.effectOf(tool, args),
      question: () => null,
      onTrouble: () => undefined,
    });
    this.leavePending = deps.pending.add(
      new PendingApprovals(this.approvals, { from, newId: deps.newId, follow: () => this.follow(), about: () => ({ name, sessionId }) }),
    );
  }

  /** With the switches, policies and project of this moment. Rejects with ToolError if that cannot be read. */
  async calls(): Promise<CallRoom> {
    await this.follow();
    const { executor, owner } = this;
    return { executor, sessionId: owner.sessionId, run: (call, watch) => this.run(call, watch) };
  }

  close(): void {
    this.leavePending();
    this.approvals.dispose();
  }

  private async run(call: ReadCall, watch: RunWatch): Promise<ToolExecuteResult & { messageId: string }> {
    const { executor, recorder, deps, owner } = this;
    const nodeId = call.call.id;
    const record: ChainListener = (event, detail) => recorder.take(nodeId, event, detail);
    const at = { ...watch, executor, sessionId: owner.sessionId, nodeId, clock: deps.clock, record };
    return { ...(await runProgramsCall(call, at)), messageId: nodeId };
  }

  private async follow(): Promise<void> {
    await this.owner.project?.read(NEVER);
    followSwitches(this.executor, this.deps.chat().groups());
  }
}
