import type { ListedModel } from '../../model/model-marks.ts';
import type { ModelRef } from '../../model/providers.ts';
import { inBackground } from '../../tools/util/notify.ts';
import type { ModelsPort, ProviderEntry } from '../ports/models-port.ts';

/** A line of the list: a model, or a typed name that a provider may have. */
export interface PickerRow {
  readonly key: string;
  readonly ref: ModelRef;
  readonly name: string;
  readonly provider: string;
  /** Absent if nobody listed it. */
  readonly model?: ListedModel;
}

export interface PickerGroup {
  readonly key: string;
  /** Null: the recently chosen models. */
  readonly provider: ProviderEntry | null;
  readonly rows: readonly PickerRow[];
  readonly more: number;
}

/** Rows shown per provider: some have many hundreds. */
const MAX_ROWS = 300;

const rowOf = (provider: ProviderEntry, model: ListedModel): PickerRow => ({
  key: `${provider.id}/${model.id}`,
  ref: { providerId: provider.id, model: model.id },
  name: model.name,
  provider: provider.name,
  model,
});

const words = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

function matches(row: PickerRow, query: readonly string[]): boolean {
  const text = `${row.name} ${row.model?.model ?? ''} ${row.provider}`.toLowerCase();
  return query.every((word) => text.includes(word));
}

/** The typed text, the results, and the line that Enter chooses. */
export class ModelPickerState {
  query: string = $state('');
  active: number = $state(0);
  asking: boolean = $state(true);
  providers: readonly ProviderEntry[];
  readonly #port: ModelsPort;
  readonly #closing = new AbortController();
  readonly groups: readonly PickerGroup[] = $derived.by(() => this.#groups());
  readonly rows: readonly PickerRow[] = $derived(this.groups.flatMap((group) => group.rows));

  constructor(port: ModelsPort) {
    this.#port = port;
    this.providers = $state.raw(port.providers());
    inBackground(
      port
        .refresh(this.#closing.signal, () => {
          this.providers = port.providers();
        })
        .finally(() => {
          this.asking = false;
        }),
    );
  }

  search(text: string): void {
    this.query = text;
    this.active = 0;
  }

  move(by: number): void {
    const count = this.rows.length;
    if (count > 0) this.active = (this.active + by + count) % count;
  }

  destroy(): void {
    this.#closing.abort();
  }

  #groups(): PickerGroup[] {
    const query = words(this.query);
    const groups = this.providers.map((provider): PickerGroup => {
      const found = provider.models.map((model) => rowOf(provider, model)).filter((row) => matches(row, query));
      const typed = this.#typed(provider, found);
      const rows = [...found.slice(0, MAX_ROWS), ...typed];
      return {
        key: provider.id,
        provider,
        rows,
        more: found.length - Math.min(found.length, MAX_ROWS),
      };
    });
    const recent = query.length === 0 ? this.#recent() : [];
    const shown = groups.filter(({ provider, rows }) => rows.length > 0 || (provider?.error && query.length === 0));
    return recent.length > 0 ? [{ key: 'recent', provider: null, rows: recent, more: 0 }, ...shown] : shown;
  }

  /** A name that a provider of the user does not list: it may have it anyway. */
  #typed(provider: ProviderEntry, found: readonly PickerRow[]): readonly PickerRow[] {
    const name = this.query.trim();
    if (
      provider.kind !== 'custom' ||
      provider.baseURL === '' ||
      name === '' ||
      /\s/.test(name) ||
      found.some((row) => row.ref.model === name)
    )
      return [];
    return [{ key: `${provider.id}/typed`, ref: { providerId: provider.id, model: name }, name, provider: provider.name }];
  }

  #recent(): readonly PickerRow[] {
    return this.#port.recent().flatMap((ref) => {
      const provider = this.providers.find(({ id }) => id === ref.providerId);
      if (!provider || provider.baseURL === '') return [];
      const model = provider.models.find(({ id }) => id === ref.model);
      // A model that a provider no longer has is not offered; if its list is not known, it may exist.
      if (!model && provider.models.length > 0) return [];
      return [
        {
          key: `recent/${ref.providerId}/${ref.model}`,
          ref,
          name: model?.name ?? ref.model,
          provider: provider.name,
          model,
        },
      ];
    });
  }
}
