// Whatever the plugin asks of the kernel rests on a recorded answer of a real one. There are no exceptions.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const recordedFolder = join(import.meta.dirname, 'recorded');

interface RecordedOperation {
  readonly action: string;
  readonly parentID?: string;
  readonly previousID?: string;
  readonly nextID?: string;
}

interface RecordedStep {
  readonly path: string;
  readonly request: { readonly transactions?: readonly { readonly doOperations: readonly RecordedOperation[] }[] };
}

const recorded = readdirSync(recordedFolder).flatMap(
  (file) => JSON.parse(readFileSync(join(recordedFolder, file), 'utf8')) as RecordedStep[],
);

/** Sources of the plugin itself: no tests, and nothing that only tests use. */
function sources(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(ts|svelte)$/.test(file) && !/(\.test|\.test-support)\.ts$|(^|[\\/])testing[\\/]/.test(file),
  );
}

interface Use {
  readonly path: string;
  readonly file: string;
}

/** It asks programs of this machine that have models, none of which is a kernel. */
const MODEL_SERVERS = 'model/server/server-window.ts';

/** Kernel paths that stand in a source, and not behind another server's name; one that is put together of parts ends in its first part, which no recording has. */
function usesOf(file: string): Use[] {
  const text = readFileSync(join(root, 'src', file), 'utf8');
  const paths = [...text.matchAll(/(?<![\w.])\/api\/[\w/-]*/g)].map(([path]) => path);
  // The service's own routes, which it answers itself; a page of the panel asks it.
  const isOfService = /^(service|mcp|features\/programs|features\/mcp-client|features\/[\w-]+\/service)\//.test(file);
  const asked = isOfService ? paths.filter((path) => !/^\/api\/(chat|tools|mcp|orders|servers)(\/|$)/.test(path)) : paths;
  return asked.map((path) => ({ path, file: relative(root, join(root, 'src', file)) }));
}

describe('what the plugin asks of the kernel', () => {
  const uses = sources()
    .filter((file) => file !== MODEL_SERVERS)
    .flatMap(usesOf);

  it('is recorded', () => {
    const known = new Set(recorded.map((step) => step.path));
    expect(uses.length).toBeGreaterThan(40);
    expect(uses.filter(({ path }) => !known.has(path))).toEqual([]);
  });

  it('and so is each way to put a block at its place', () => {
    const operations = recorded.flatMap(({ request }) => request.transactions?.flatMap((each) => each.doOperations) ?? []);
    const ways = new Set(
      operations.map(({ action, parentID, previousID, nextID }) => {
        const place = previousID ? ' behind' : nextID ? ' before' : parentID ? ' first in' : '';
        return `${action}${place}`;
      }),
    );
    expect([...ways]).toEqual(
      expect.arrayContaining(['update', 'delete', 'insert behind', 'insert before', 'insert first in', 'move behind', 'move first in']),
    );
  });
});
