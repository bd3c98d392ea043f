import type { Hono } from 'hono';

/** What a feature serves. */
export interface ServedFeature {
  /** Of its routes, whole. */
  readonly path?: string;
  readonly routes?: Hono;
  /** What programs in this process do with it, by name. */
  readonly ports?: object;
  readonly close?: () => Promise<void>;
}
