import type { Page } from 'playwright-core';
import type { Random } from '../../bench/random.ts';
import type { Look } from './page-eyes.ts';

/** What an action acted on, for whoever judges what it may lead to. */
export interface Done {
  readonly words: string;
  /** The person wrote in a note by their own hand. */
  readonly typedInNote?: boolean;
  /** The person pressed something that consents to a write. */
  readonly consent?: boolean;
  /** Consent that goes on: "Allow for this chat", a tool that asks no more. */
  readonly standing?: boolean;
  /** A key was pressed while the focus was in the panel. */
  readonly keyIn?: string;
  readonly reloaded?: boolean;
  /** A link was pressed, which may lead out. */
  readonly followedLink?: boolean;
}

export interface Stage {
  readonly page: Page;
  readonly random: Random;
  /** Addresses of documents, in a fixed order. */
  readonly documents: readonly string[];
  readonly url: string;
  look(): Promise<Look>;
  /** The page again, and until it is there. */
  goto(address: string): Promise<void>;
}

/** One thing that a user does; null where there is nothing to do it with. */
export type Action = (stage: Stage, look: Look) => Promise<Done | null>;
