import type { Hono } from 'hono';
import type * as v from 'valibot';

/** The description of a route; a test compares all of them with the real routes. */
export interface RouteDescription {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `{name}` for a parameter. */
  readonly path: string;
  readonly summary: string;
  /** Requires no token. */
  readonly open?: boolean;
  readonly query?: v.ObjectSchema<v.ObjectEntries, undefined>;
  readonly body?: v.GenericSchema;
  /** Default: 200. */
  readonly status?: string;
  readonly answer?: v.GenericSchema;
  /** May answer with events. */
  readonly events?: boolean;
  readonly headers?: Readonly<Record<string, object>>;
  readonly headerParameters?: readonly Readonly<Record<string, unknown>>[];
  readonly alsoStatus?: Readonly<Record<string, object>>;
  /** A valid request. */
  readonly example?: { readonly query?: Readonly<Record<string, string>>; readonly body?: object };
}

/** Where somebody begins who comes without a map. */
export interface Door {
  readonly name: string;
  /** Method and path. */
  readonly at: string;
  /** Its name with more words. */
  readonly label: string;
  /** Paths that those try who look for it, and what they learn. */
  readonly tried: RegExp;
  readonly next: string;
}

/** What a feature serves. */
export interface ServedFeature {
  /** Of its routes, whole. */
  readonly path?: string;
  readonly routes?: Hono;
  /** Routes that check their callers by themselves, with their whole paths. */
  readonly open?: Hono;
  readonly described?: readonly RouteDescription[];
  readonly door?: Door;
  /** Headers that pages of other origins may read and send. */
  readonly headers?: { readonly read: readonly string[]; readonly sent: readonly string[] };
  /** What programs in this process do with it, by name. */
  readonly ports?: object;
  readonly close?: () => Promise<void>;
}
