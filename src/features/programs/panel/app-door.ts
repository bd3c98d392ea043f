import { programsHere } from '../../../app/device-storage.ts';
import { ToolError, toToolError } from '../../../tools/contract/errors.ts';
import { inBackground, Listeners } from '../../../tools/util/notify.ts';
import { type DeviceProgram, type DevicePrograms, readDevicePrograms } from '../device-programs.ts';
import { configurationOf, type WayIn } from '../known-programs.ts';
import type { AppDoor, AppDoorState, AppProgram } from '../programs-port.ts';

/** Who may come in at this moment. */
export interface LetIn {
  readonly programs: () => readonly DeviceProgram[];
  /** Called with the id of a program at each of its requests. */
  readonly onCall: (id: string) => void;
}

/** What listens. */
export interface OpenedDoor {
  readonly url: string;
  /** Ends what a program has open. */
  forget(id: string): void;
  close(): void;
}

export interface AppDoorDeps {
  readonly newId: () => string;
  readonly newToken: () => string;
  readonly now: () => number;
  /** Listens, for programs of a list. Rejects with ToolError. */
  readonly open: (port: number, inside: LetIn) => Promise<OpenedDoor>;
  /** How a program that starts a command starts one that needs nothing installed. */
  readonly command: (url: string, token: string) => WayIn['command'];
  readonly platform: string;
  readonly signal: AbortSignal;
}

const MOST_PROGRAMS = 50;
/** Until the port is tried again: another window of SiYuan may have had it, and has been closed. */
const AGAIN_MS = 30_000;

/** Programs of this computer in the desktop app. Which may come in is kept on the device: a sync must not open anything. */
export class DeviceDoor implements AppDoor {
  private readonly deps: AppDoorDeps;
  private readonly listeners = new Listeners<[AppDoorState]>();
  private readonly calledAt = new Map<string, number>();
  private opened: OpenedDoor | undefined;
  private problem: ToolError | undefined;
  /** Changes of what listens, one after the other. */
  private turning: Promise<void> = Promise.resolve();
  private again: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: AppDoorDeps) {
    this.deps = deps;
    deps.signal.addEventListener('abort', () => this.follow());
    this.follow();
  }

  readonly state = (): AppDoorState => {
    const { isOn, port, programs } = this.kept;
    const shown = programs.map(
      ({ id, name, writes, project }): AppProgram => ({ id, name, writes, project, calledAt: this.calledAt.get(id) }),
    );
    return { isOn, port, url: this.opened?.url, problem: isOn ? this.problem : undefined, programs: shown };
  };

  watch(listener: (state: AppDoorState) => void): () => void {
    listener(this.state());
    return this.listeners.add(listener);
  }

  turn(isOn: boolean): void {
    this.keep({ isOn });
    this.follow();
  }

  setPort(port: number): void {
    this.keep({ port });
    this.follow(true);
  }

  letIn(name: string): string {
    const { programs } = this.kept;
    if (programs.length >= MOST_PROGRAMS)
      throw new ToolError('too_many', `there are ${MOST_PROGRAMS} programs already`, 'remove one first');
    const id = this.deps.newId();
    this.keep({ programs: [...programs, { id, name, token: this.deps.newToken(), writes: true }] });
    return id;
  }

  change(id: string, to: Parameters<AppDoor['change']>[1]): void {
    this.keep({ programs: this.kept.programs.map((each) => (each.id === id ? { ...each, ...to } : each)) });
    // What it has begun was begun with other rights.
    this.opened?.forget(id);
  }

  remove(id: string): void {
    this.keep({ programs: this.kept.programs.filter((each) => each.id !== id) });
    this.opened?.forget(id);
  }

  configuration(id: string) {
    const { command, platform } = this.deps;
    const program = this.kept.programs.find((each) => each.id === id);
    if (!program) return undefined;
    const { name, token } = program;
    const url = this.opened?.url ?? `http://127.0.0.1:${this.kept.port}/mcp`;
    return configurationOf(name, platform, { url, token, command: command(url, token) });
  }

  /** Another window may have changed it. */
  private get kept(): DevicePrograms {
    return readDevicePrograms(programsHere.get());
  }

  private keep(change: Partial<DevicePrograms>): void {
    const kept: DevicePrograms = { ...this.kept, ...change };
    programsHere.set(JSON.stringify(kept));
    this.listeners.call(this.state());
  }

  private readonly onCall = (id: string): void => {
    this.calledAt.set(id, this.deps.now());
    this.listeners.call(this.state());
  };

  /** Opens and closes as is wanted now. */
  private follow(isMoved = false): void {
    this.turning = this.turning.then(() => this.turnNow(isMoved));
    inBackground(this.turning);
  }

  /** Never rejects. */
  private async turnNow(isMoved: boolean): Promise<void> {
    const { open, signal } = this.deps;
    clearTimeout(this.again);
    const isWanted = (): boolean => this.kept.isOn && !signal.aborted;
    if (!isWanted() || isMoved) {
      this.opened?.close();
      this.opened = undefined;
    }
    if (isWanted() && !this.opened) {
      const programs = (): readonly DeviceProgram[] => (isWanted() ? this.kept.programs : []);
      try {
        this.opened = await open(this.kept.port, { programs, onCall: this.onCall });
        this.problem = undefined;
      } catch (error) {
        this.problem = toToolError(error);
        this.again = setTimeout(() => this.follow(), AGAIN_MS);
      }
    }
    this.listeners.call(this.state());
  }
}
