import type { LanguageModel } from '../../model/language-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { CompletionRequest, ModelDelta } from '../../tools/contract/messages.ts';
import type { AgentLink } from './agent-link.ts';
import { guestPictures, guestPrompt } from './guest-prompt.ts';
import { GuestTurn } from './guest-turn.ts';
import { createToolDoor, type ToolDoor } from './tool-door.ts';

/** An address of this machine at which a door answers, for whoever has the token. */
export interface OpenDoor {
  readonly url: string;
  readonly token: string;
  close(): void;
}

export interface GuestModelDeps {
  readonly name: string;
  readonly version: string;
  readonly link: Pick<AgentLink, 'prompt'>;
  readonly openDoor: (door: ToolDoor) => Promise<OpenDoor>;
}

/** The chat's own way to ask a person. */
const ASK_USER = 'ask_user';
/** Milliseconds after which a turn that nobody went on with is given up: its chat was stopped between two requests, or closed. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1000;

class Guest {
  private readonly deps: GuestModelDeps;
  /** Turns that have not ended, by the object that names them. */
  private readonly turns = new WeakMap<object, GuestTurn>();

  constructor(deps: GuestModelDeps) {
    this.deps = deps;
  }

  async complete(request: CompletionRequest, signal: AbortSignal, onDelta: (delta: ModelDelta) => void) {
    const key = request.turn ?? {};
    const goesOn = request.messages.at(-1)?.role === 'tool' ? this.turns.get(key) : undefined;
    const turn = goesOn ?? (await this.begin(request, signal));
    if (turn.isOver) throw new ToolError('model_interrupted', `${this.deps.name} had ended before`, 'send again');
    this.turns.set(key, turn);
    return turn.next(request.messages, signal, onDelta);
  }

  /** A turn of its own: also where the results of an interrupted one are sent again. */
  private async begin({ messages, tools = [] }: CompletionRequest, signal: AbortSignal): Promise<GuestTurn> {
    const { link, openDoor, version } = this.deps;
    const turn = new GuestTurn();
    const stop = AbortSignal.any([signal, AbortSignal.timeout(FORGOTTEN_MS)]);
    let onListed = (): void => undefined;
    const listed = new Promise<void>((resolve) => {
      onListed = resolve;
    });
    const door = { version, tools, call: (...called: Parameters<GuestTurn['call']>) => turn.call(...called), onListed };
    const open = tools.length > 0 ? await openDoor(createToolDoor(door)) : null;
    const names = tools.map(({ function: { name } }) => name);
    const askPerson = names.includes(ASK_USER)
      ? (question: string, options: readonly string[], asked: AbortSignal) => turn.call(ASK_USER, { question, options }, asked)
      : undefined;
    const prompt = { text: guestPrompt(messages), pictures: guestPictures(messages), tools: open && { ...open, names, listed }, askPerson };
    turn.begin((onUpdate) => link.prompt({ ...prompt, onUpdate }, stop).finally(() => open?.close()));
    return turn;
  }
}

/** Another agent as the model of a chat. `label`: its name for people. */
export function createGuestModel(deps: GuestModelDeps): LanguageModel {
  const guest = new Guest(deps);
  return { label: deps.name, model: deps.name, complete: (...asked) => guest.complete(...asked) };
}
