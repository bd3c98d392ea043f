/** An agent program of this machine. */
export interface GuestEntry {
  readonly id: string;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Variables besides the few that every program gets. */
  readonly env: Readonly<Record<string, string>>;
  /** The note of the only project in whose chats it answers. */
  readonly project?: string | undefined;
}

/** Agents of this device. Each change throws ToolError where it cannot be kept. */
export interface GuestsPort {
  list(): readonly GuestEntry[];
  /** How well-known ones are started. */
  known(): readonly Omit<GuestEntry, 'id'>[];
  /** `id` null: a new one. */
  save(guest: Omit<GuestEntry, 'id'> & { readonly id: string | null }): void;
  remove(id: string): void;
}

export const GUESTS: { readonly name: string; readonly type?: GuestsPort } = { name: 'guests' };
