import type { ModelStatus } from '../../chat/view/view.ts';
import type { SkippedProvider } from '../../model/host-providers.ts';
import type { LearntOfModel } from '../../model/learnt-of-model.ts';
import type { ListedModel } from '../../model/model-marks.ts';
import type { ModelRef } from '../../model/providers.ts';
import type { WireProtocol } from '../../model/server/wire-protocol.ts';
import type { ConnectionReport } from '../../model/test-connection.ts';
import type { EventError } from '../../tools/contract/errors.ts';

/** A provider as the panel shows it; its key never comes here. */
export interface ProviderEntry {
  readonly id: string;
  readonly name: string;
  /** What the user called it; '' where the name is that of its host. */
  readonly givenName?: string;
  readonly baseURL: string;
  /** Default: chat completions. */
  readonly protocol?: WireProtocol;
  /** `local`: found on this machine, and not set up yet. */
  readonly kind: 'siyuan' | 'custom' | 'served' | 'guest' | 'local';
  readonly hasKey: boolean;
  /** The server that this device's key was given for, where the address is another one now: it is not sent there. */
  readonly keyHeldFor?: string;
  readonly models: readonly ListedModel[];
  readonly error?: EventError;
}

export interface ProviderPatch {
  readonly name?: string;
  readonly baseURL?: string;
  readonly protocol?: WireProtocol;
  readonly apiKey?: string;
}

/** Models to choose from. What rejects rejects with ToolError. */
export interface ModelsPort {
  /** What is known without any request, and what providers have answered since. */
  providers(): readonly ProviderEntry[];
  /** Providers of SiYuan's settings that cannot be used here. */
  skipped(): readonly SkippedProvider[];
  /** Asks the user's own providers for their models, and looks for servers on this machine; calls back as each one answers. */
  refresh(signal: AbortSignal, onChange: () => void): Promise<void>;
  /** The models last chosen on this device, newest first. */
  recent(): readonly ModelRef[];
  /** The model of the settings: that of every chat that has none of its own. */
  defaultModel(): ModelStatus;
  /** Makes it that of the settings. */
  choose(ref: ModelRef): Promise<void>;
  /** It is about to be used: it counts as recent, and a server of this machine is set up as a provider. */
  keep(ref: ModelRef): Promise<void>;
  /** Returns the id; a new one where there was none. */
  saveProvider(id: string | null, patch: ProviderPatch): Promise<string>;
  removeProvider(id: string): Promise<void>;
  /** Lets the key that is held back go to the address that is there now. */
  useKeyHere(id: string): Promise<void>;
  allowProvider(id: string): Promise<void>;
  /** What its server's answers revealed about a model. */
  learnt(ref: ModelRef): LearntOfModel;
  /** Forgets that; one answer alone teaches nothing. */
  forget(ref: ModelRef): Promise<void>;
  tryNativeCalls(): Promise<void>;
  test(ref: ModelRef, signal: AbortSignal): Promise<ConnectionReport>;
}
