// What a device keeps of a login. Without the protocol's own code: the settings load this first.
import * as v from 'valibot';

const text = v.optional(v.string());

const savedSignIn = v.object({
  /** Exactly the server for which the person signed in. */
  server: v.string(),
  /** Where it describes its login. */
  described: text,
  /** Who we are to the login's server: registered by itself, or typed by a person. `issuer`: that server. */
  client: v.optional(
    v.looseObject({ client_id: v.string(), client_secret: text, issuer: text, redirect_uris: v.optional(v.array(v.string())) }),
  ),
  isTyped: v.optional(v.boolean()),
  tokens: v.optional(v.looseObject({ access_token: v.string(), token_type: v.string(), refresh_token: text, scope: text, issuer: text })),
});

/** Tokens are secrets of this device. */
export type SavedSignIn = v.InferOutput<typeof savedSignIn>;

/** Undefined for what is none, or is of another server. */
export function readSignIn(value: unknown, server: string): SavedSignIn | undefined {
  const read = v.safeParse(savedSignIn, value);
  return read.success && read.output.server === server ? read.output : undefined;
}

/** Of one server. */
export interface SignInStore {
  read(): SavedSignIn | undefined;
  /** Undefined forgets it. Throws ToolError where there is no room. */
  write(saved: SavedSignIn | undefined): void;
}
