import type { ToolError } from '../../tools/contract/errors.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../tools/contract/types.ts';

/** A program that uses the notes through the service, with a token of its own. */
export interface ProgramEntry {
  readonly id: string;
  readonly name: string;
  readonly writes: boolean;
  /** The note of the project that it keeps to. */
  readonly project?: string | undefined;
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
  add(name: string, writes: boolean, project?: string): Promise<string>;
  /** Takes its token away; what it has pending is withdrawn. */
  remove(id: string): Promise<void>;
  pending(): Promise<readonly PendingChange[]>;
  decide(approvalId: string, decision: ApprovalDecision): Promise<void>;
}

export const PROGRAM_METHODS: Readonly<Record<keyof ProgramsPort, true>> = {
  ...{ connection: true, connect: true, disconnect: true, list: true, add: true, remove: true, pending: true, decide: true },
};

/** Ports that need no rights of their own. */
export const MIN_PORT = 1024;
export const MAX_PORT = 65_535;

/** A program of this computer that may come in through the app. */
export interface AppProgram {
  readonly id: string;
  /** '': it names itself. */
  readonly name: string;
  readonly writes: boolean;
  /** The note of the project that it keeps to. */
  readonly project?: string | undefined;
  /** Milliseconds since the epoch; undefined if it has not called since the app was started. */
  readonly calledAt: number | undefined;
}

export interface AppDoorState {
  readonly isOn: boolean;
  readonly port: number;
  /** Where programs come in now; undefined if nothing listens. */
  readonly url: string | undefined;
  /** Why nothing listens although it is on. */
  readonly problem: ToolError | undefined;
  readonly programs: readonly AppProgram[];
}

/** What lets a program find the way in, in its own form. */
export interface Configuration {
  /** The file that it reads on this system; undefined for a program that is not known. */
  readonly file: string | undefined;
  readonly text: string;
}

/** Other programs in the notes through SiYuan's desktop app, as long as it is open. */
export interface AppDoor {
  readonly state: () => AppDoorState;
  /** Calls back with the state, now and when it has changed; returns a function that stops it. */
  watch(listener: (state: AppDoorState) => void): () => void;
  /** Throws ToolError where there is no room on the device. */
  turn(on: boolean): void;
  /** From MIN_PORT to MAX_PORT. */
  setPort(port: number): void;
  /** Returns its id. */
  letIn(name: string): string;
  /** What is absent stays. `project` '': none. */
  change(id: string, to: Partial<Pick<AppProgram, 'writes' | 'project'>>): void;
  /** Its token stops working; what it has pending is withdrawn. */
  remove(id: string): void;
  configuration(id: string): Configuration | undefined;
}

/** The same with what is said in the panel, which opens without the rest. */
export interface WatchedPrograms extends ProgramsPort {
  /** Undefined in a browser and on a phone. */
  readonly app: (() => Promise<AppDoor>) | undefined;
  /** This SiYuan has an agent that takes tools of plugins. */
  readonly hasAgent: boolean;
  /** Calls back with what waits, now and when it has changed; returns a function that stops it. */
  watch(listener: (pending: readonly PendingChange[]) => void): () => void;
}

export const PROGRAMS: { readonly name: string; readonly type?: WatchedPrograms } = { name: 'programs' };
