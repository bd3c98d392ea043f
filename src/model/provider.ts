import type { WireProtocol } from './server/wire-protocol.ts';

/** `id`: for a ModelRef; `model`: the name sent in requests; `name`: for display. */
export interface ProviderModel {
  readonly id: string;
  readonly model: string;
  readonly name: string;
  readonly window?: number;
}

export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly baseURL: string;
  /** Empty: none is sent. */
  readonly apiKey: string;
  /** Set up in SiYuan, set up here, the development host itself, or another agent of this machine. */
  readonly kind: 'siyuan' | 'custom' | 'served' | 'guest';
  readonly protocol?: WireProtocol;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
  readonly models: readonly ProviderModel[];
}
