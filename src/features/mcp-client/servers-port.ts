import type { EventError } from '../../tools/contract/errors.ts';
import type { ForeignOffer } from './foreign-offers.ts';
import type { McpServerProblem } from './settings/mcp-servers.ts';
import type { SignInView, TypedClient } from './sign-in/sign-in.ts';

/** A header of a server, or a variable of a program. Its value stays on the device: the settings are synced. */
interface ServerValue {
  readonly name: string;
  readonly isSet: boolean;
}

/**
 * `desktop`: it is a program, and only the desktop app starts programs. `asks`: a program that nobody has allowed on this device. `lacks`: a
 * value is missing here. `signIn`: it answers whoever signs in.
 */
export type ServerState = 'off' | 'desktop' | 'asks' | 'lacks' | 'connecting' | 'signIn' | 'failed' | 'ready';

/** A server of other people's tools. */
export interface ServerEntry {
  readonly name: string;
  readonly enabled: boolean;
  /** Its address, or the program that is started. */
  readonly url?: string | undefined;
  readonly command?: string | undefined;
  readonly args: readonly string[];
  readonly values: readonly ServerValue[];
  readonly state: ServerState;
  readonly failure?: EventError | undefined;
  readonly tools: readonly ServerTool[];
  /** Whether some of its tools are not offered: too large, or called like another. */
  readonly leavesOut: boolean;
  /** Its login; absent where it has a key of its own, or is a program. */
  readonly signIn?: SignInView | undefined;
}

interface ServerTool {
  readonly name: string;
  /** What the server says of it. */
  readonly description: string;
}

export interface ServerList {
  readonly servers: readonly ServerEntry[];
  /** Entries of the settings that are not used. */
  readonly problems: readonly ServerListProblem[];
  /** Those that SiYuan has and that are not here. */
  readonly ofSiYuan: readonly string[];
}

export interface ServerListProblem {
  readonly name: string;
  readonly code: McpServerProblem;
}

export interface ServerDraft {
  readonly name: string;
  readonly url?: string | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** Those that it has; of one without a new value the old one stays. */
  readonly values: readonly { readonly name: string; readonly value?: string | undefined }[];
}

/** Something of a server that can go with a question, in its own words: they are cut, and stand on one line. */
export type ServerOffer = ForeignOffer;

/** What was read of it. */
export interface ReadOffer {
  /** Of a prompt: a text for the composer. */
  readonly draft: string;
  readonly texts: readonly { readonly uri: string; readonly text: string }[];
  readonly files: readonly File[];
  /** The rest of it was too much. */
  readonly isCut: boolean;
}

/** What of servers can go with a question. Each rejects with ToolError. */
export interface OffersPort {
  /** Names of the servers that are used on this device now. */
  offering(): Promise<readonly string[]>;
  /** Resources and prompts of one of them. Nobody waits for it: it may take as long as the server does. */
  offers(name: string): Promise<readonly ServerOffer[]>;
  /** Asks the server for it, with the values of its fields. */
  take(name: string, offer: Pick<ServerOffer, 'kind' | 'id'>, values: Readonly<Record<string, string>>): Promise<ReadOffer>;
}

/** Each rejects with ToolError. */
export interface ServersPort extends OffersPort {
  list(): Promise<ServerList>;
  /** `before`: its name until now, of one that is changed. Resolves with what is wrong with it; then nothing is saved. */
  save(draft: ServerDraft, before?: string): Promise<McpServerProblem | null>;
  /** Adds those of a text as other programs keep it. `unread`: the text is no such list. */
  paste(
    text: string,
  ): Promise<{ readonly added: readonly string[]; readonly problems: readonly ServerListProblem[]; readonly unread: boolean }>;
  takeFromSiYuan(name: string): Promise<McpServerProblem | null>;
  turn(name: string, on: boolean): Promise<void>;
  /** The person lets this device start it. */
  allow(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Asks it for its tools again, now. */
  test(name: string): Promise<void>;
  /** Begins a login, and resolves with its address; without one, the list says what went wrong. */
  signIn(name: string, client?: TypedClient): Promise<string | undefined>;
  /** `text`: the address at which the browser ended, or the code in it. */
  finishSignIn(name: string, text: string): Promise<void>;
  cancelSignIn(name: string): Promise<void>;
  signOut(name: string): Promise<void>;
}

export const SERVERS: { readonly name: string; readonly type?: ServersPort } = { name: 'mcp-client' };
