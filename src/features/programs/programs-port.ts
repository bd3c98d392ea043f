import type { ApprovalDecision, ApprovalRequest } from '../../tools/contract/types.ts';

/** A program that uses the notes through the service, with a token of its own. */
export interface ProgramEntry {
  readonly id: string;
  readonly name: string;
  readonly writes: boolean;
  /** When its token was made, ISO 8601. */
  readonly created: string;
}

/** A change that waits for a person. */
export interface PendingChange {
  /** Whose it is: the name of the program, or the title of the chat. */
  readonly from: string;
  readonly request: ApprovalRequest;
}

interface ServiceAddress {
  /** '' where none is set up on this device. */
  readonly address: string;
  readonly hasToken: boolean;
}

/** Programs that come in through the service. Each method rejects with ToolError. */
export interface ProgramsPort {
  /** Where the service is, on this device. */
  connection(): Promise<ServiceAddress>;
  /** Saved only if it answers. Without `token` the one that is there stays. */
  connect(address: string, token?: string): Promise<void>;
  disconnect(): Promise<void>;
  list(): Promise<readonly ProgramEntry[]>;
  /** Resolves with its token, which is shown this once. */
  add(name: string, writes: boolean): Promise<string>;
  /** Takes its token away; what it has pending is withdrawn. */
  remove(id: string): Promise<void>;
  pending(): Promise<readonly PendingChange[]>;
  decide(approvalId: string, decision: ApprovalDecision): Promise<void>;
}

export const PROGRAM_METHODS: Readonly<Record<keyof ProgramsPort, true>> = {
  ...{ connection: true, connect: true, disconnect: true, list: true, add: true, remove: true, pending: true, decide: true },
};

/** The same with what is said in the panel, which opens without the rest. */
export interface WatchedPrograms extends ProgramsPort {
  /** This SiYuan has an agent that takes tools of plugins. */
  readonly hasAgent: boolean;
  /** Calls back with what waits, now and when it has changed; returns a function that stops it. */
  watch(listener: (pending: readonly PendingChange[]) => void): () => void;
}

export const PROGRAMS: { readonly name: string; readonly type?: WatchedPrograms } = { name: 'programs' };
