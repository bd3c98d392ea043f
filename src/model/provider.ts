import type { ModelSettings } from './language-model.ts';

/** `id`: for a ModelRef; `model`: the name sent in requests; `name`: for display. */
export interface ProviderModel {
  readonly id: string;
  readonly model: string;
  readonly name: string;
  readonly window?: number;
}

export interface Provider extends Pick<ModelSettings, 'baseURL' | 'apiKey' | 'protocol' | 'headers' | 'timeoutMs'> {
  readonly id: string;
  readonly name: string;
  /** Set up in SiYuan, set up here, the development host itself, or another agent of this machine. */
  readonly kind: 'siyuan' | 'custom' | 'served' | 'guest';
  readonly models: readonly ProviderModel[];
}
