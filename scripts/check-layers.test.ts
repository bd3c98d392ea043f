import { describe, expect, it } from 'vitest';
import { checkModules, findCircles, findCrowds, MAX_FILES } from './check-layers.ts';

const problems = (path: string, text: string) => checkModules([{ path, text }]);

describe('layer table', () => {
  it('lets a layer import itself and what the table allows', () => {
    expect(
      problems('chat/session/thread.ts', "import { a } from './tree-model.ts'; import type { T } from '../../tools/contract/types.ts';"),
    ).toEqual([]);
    expect(problems('model/openai-model.ts', "import OpenAI from 'openai';")).toEqual([]);
  });

  it('refuses an import against the table', () => {
    expect(problems('tools/executor/executor.ts', "import { x } from '../../chat/turn/session.ts';")).toHaveLength(1);
    expect(problems('host/undo/undo.ts', "export { x } from '../../ui/panel/mount.ts';")).toHaveLength(1);
    expect(problems('ui/panel/Panel.svelte', '<script lang="ts">import { x } from "../../host/undo/undo.ts";</script>')).toHaveLength(1);
    expect(problems('chat/turn/session.ts', "const m = await import('../../ui/panel/mount.ts');")).toHaveLength(1);
  });

  it('keeps packages to their layers', () => {
    expect(problems('chat/session.ts', "import OpenAI from 'openai';")).toHaveLength(1);
    expect(problems('tools/executor.ts', "import { readFile } from 'node:fs';")).toHaveLength(1);
    expect(problems('ui/mount.ts', "import { showMessage } from 'siyuan';")).toHaveLength(1);
    expect(problems('ui/mount.ts', "import type { Plugin } from 'siyuan';")).toEqual([]);
  });

  it('lets only the executor make an ApprovedPlan', () => {
    expect(problems('host/writing/write-path.ts', "import { approvePlan } from '../../tools/contract/plans.ts';")).toHaveLength(1);
    expect(problems('tools/executor/execute-call.ts', "import { approvePlan } from '../contract/plans.ts';")).toEqual([]);
  });

  it('lets no feature be known to the core or to another one, and each part of it reach what its place allows', () => {
    const names = (path: string, target: string) => problems(path, `import { x } from '${target}';`).length;
    expect(names('tools/chain/x.ts', '../../features/memory/memory.ts')).toBe(1);
    expect(names('ui/panel/panel-commands.ts', '../../features/orders/inbox.ts')).toBe(1);
    expect(problems('chat/turn/turn.ts', "type T = import('../../features/orders/inbox.ts').Inbox;")).toHaveLength(1);
    expect(names('app/panel.ts', '../features/orders/panel/panel-orders.ts')).toBe(0);
    expect(names('features/guests/guests.ts', '../orders/inbox.ts')).toBe(1);
    expect(names('features/guests/guests.ts', '../../ui/labels/format.ts')).toBe(1);
    expect(names('features/guests/view/x.ts', '../../../ui/labels/format.ts')).toBe(0);
    expect(names('features/guests/guests.ts', 'node:fs')).toBe(1);
    expect(names('features/guests/desktop/x.ts', 'node:fs')).toBe(0);
  });

  it('refuses a folder that is no layer', () => {
    expect(problems('misc/x.ts', "import { a } from './b.ts';")).toHaveLength(1);
  });
});

describe('rooms', () => {
  it('stand on the rooms below them', () => {
    expect(problems('host/undo/undo.ts', "import { x } from '../blocks/block-dom.ts'; import { y } from './undo-judgement.ts';")).toEqual(
      [],
    );
    expect(problems('host/notes-host.ts', "import { x } from './undo/undo.ts';")).toEqual([]);
    expect(problems('chat/store/store.ts', "import { x } from './search/search-text.ts';")).toEqual([]);
    expect(problems('host/blocks/block-dom.ts', "import { x } from '../undo/undo.ts';")).toHaveLength(1);
    expect(problems('chat/store/search/search-text.ts', "import type { T } from '../store.ts';")).toHaveLength(1);
    expect(problems('tools/executor/executor.ts', "import { x } from '../groups/tags.ts';")).toHaveLength(1);
    expect(problems('ui/state/panel-state.svelte.ts', "import type { T } from '../pages/chat-list.svelte.ts';")).toHaveLength(1);
    expect(problems('host/undo/undo.ts', "import { x } from '../notes-host.ts';")).toHaveLength(1);
  });

  it('are known by name', () => {
    expect(problems('host/misc/x.ts', "import { a } from './b.ts';")).toHaveLength(1);
  });

  it('of other layers are imported for their ports alone, and as types', () => {
    expect(problems('host/notes-host.ts', "import type { T } from '../chat/ports/chat-document.ts';")).toEqual([]);
    expect(problems('host/notes-host.ts', "import { x } from '../chat/ports/chat-document.ts';")).toHaveLength(1);
    expect(problems('host/notes-host.ts', "import type { T } from '../chat/session/types.ts';")).toHaveLength(1);
    expect(problems('chat/turn/turn.ts', "import type { T } from '../../host/undo/undo.ts';")).toHaveLength(1);
  });

  it('hold no more files than are read together, beside their tests', () => {
    const files = (count: number) => Array.from({ length: count }, (_, index) => `host/undo/file-${index}.ts`);
    expect(findCrowds([...files(MAX_FILES), 'host/undo/undo.test.ts'])).toEqual([]);
    expect(findCrowds(files(MAX_FILES + 1))).toEqual([`host/undo: ${MAX_FILES + 1} files, at most ${MAX_FILES}`]);
  });
});

describe('circles of imports', () => {
  const module = (path: string, ...targets: string[]) => ({
    path,
    text: targets.map((to) => `import type { T } from '${to}';`).join('\n'),
  });

  it('are found, types among them', () => {
    expect(findCircles([module('a/x.ts', './y.ts'), module('a/y.ts', '../b/z.svelte'), module('a/w.ts', './x.ts')])).toEqual([]);
    const script = { path: 'b/z.svelte', text: '<script lang="ts">import { x } from "../a/x.ts";</script>' };
    expect(findCircles([module('a/w.ts', './x.ts'), module('a/x.ts', './y.ts'), module('a/y.ts', '../b/z.svelte'), script])).toEqual([
      'circle of imports: a/x.ts → a/y.ts → b/z.svelte → a/x.ts',
    ]);
  });
});
