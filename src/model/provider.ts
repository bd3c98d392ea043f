import type { WireProtocol } from './server/wire-protocol.ts';

/** A known model of a provider. `id`: for a ModelRef; `model`: the name sent in requests; `name`: for display. */
export interface ProviderModel {
  readonly id: string;
  readonly model: string;
  readonly name: string;
  /** Its window in tokens, from SiYuan's settings. */
  readonly window?: number;
}

export interface Provider {
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly baseURL: string;
  /** Empty: none is sent. */
  readonly apiKey: string;
  /** Set up in SiYuan, set up here, the development host itself, or another agent of this machine, which sends to a model of its own. */
  readonly kind: 'siyuan' | 'custom' | 'served' | 'guest';
  /** Default: chat completions. */
  readonly protocol?: WireProtocol;
  /** Sent with every request, see ModelSettings. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** See ModelSettings. */
  readonly timeoutMs?: number;
  /** Known without a request. */
  readonly models: readonly ProviderModel[];
}
