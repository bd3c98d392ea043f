import * as v from 'valibot';

/** JSON as SiYuan gave it: written back as a whole. */
const raw = v.record(v.string(), v.unknown());
const row = { itemId: v.string(), boundTo: v.nullable(v.string()), title: v.string() };

/** One change of a database, as the write journal holds it: enough to observe, carry out and undo it. */
export const storedChangeSchema = v.variant('do', [
  /** `before` is null for a cell that never had a value. */
  v.object({ do: v.literal('cell'), keyId: v.string(), itemId: v.string(), before: v.nullable(raw), after: raw }),
  /** `filled`: prints of the cells that SiYuan filled in by itself, by column. */
  v.object({ do: v.literal('add-row'), ...row, filled: v.record(v.string(), v.string()) }),
  /** `previous`: the row above, '' for none. */
  v.object({ do: v.literal('remove-row'), ...row, previous: v.string(), values: v.array(raw) }),
  v.object({ do: v.literal('add-column'), key: raw, previous: v.string() }),
  /** `look`: its display in the view of the block. */
  v.object({ do: v.literal('remove-column'), key: raw, previous: v.string(), look: raw, values: v.array(raw) }),
  v.object({ do: v.literal('rename-column'), keyId: v.string(), type: v.string(), before: v.string(), after: v.string() }),
  /** The columns to the left. */
  v.object({ do: v.literal('move-column'), keyId: v.string(), before: v.string(), after: v.string() }),
  v.object({ do: v.literal('add-option'), keyId: v.string(), name: v.string() }),
  /** `titleColumn`: the name of the column that SiYuan makes. `previous`: the block above the new one. */
  v.object({ do: v.literal('create'), name: v.string(), titleColumn: v.string(), keys: v.array(raw), previous: v.string() }),
]);

export type StoredChange = v.InferOutput<typeof storedChangeSchema>;
export type ChangeOf<Do extends StoredChange['do']> = Extract<StoredChange, { readonly do: Do }>;
export type RawValue = Readonly<Record<string, unknown>>;
