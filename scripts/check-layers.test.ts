import { describe, expect, it } from 'vitest';
import { checkModules, findCircles } from './check-layers.ts';

const problems = (path: string, text: string) => checkModules([{ path, text }]);

describe('layer table', () => {
  it('lets a layer import itself and what the table allows', () => {
    expect(problems('chat/session.ts', "import { a } from './tree-model.ts'; import type { T } from '../tools/types.ts';")).toEqual([]);
    expect(problems('model/openai-model.ts', "import OpenAI from 'openai';")).toEqual([]);
  });

  it('refuses an import against the table', () => {
    expect(problems('tools/executor.ts', "import { x } from '../chat/session.ts';")).toHaveLength(1);
    expect(problems('host/undo.ts', "export { x } from '../ui/mount.ts';")).toHaveLength(1);
    expect(problems('ui/Panel.svelte', '<script lang="ts">import { x } from "../host/undo.ts";</script>')).toHaveLength(1);
    expect(problems('chat/session.ts', "const m = await import('../ui/mount.ts');")).toHaveLength(1);
  });

  it('keeps packages to their layers', () => {
    expect(problems('chat/session.ts', "import OpenAI from 'openai';")).toHaveLength(1);
    expect(problems('tools/executor.ts', "import { readFile } from 'node:fs';")).toHaveLength(1);
    expect(problems('ui/mount.ts', "import { showMessage } from 'siyuan';")).toHaveLength(1);
    expect(problems('ui/mount.ts', "import type { Plugin } from 'siyuan';")).toEqual([]);
  });

  it('lets only the executor make an ApprovedPlan', () => {
    expect(problems('host/write-path.ts', "import { approvePlan } from '../tools/plans.ts';")).toHaveLength(1);
    expect(problems('tools/execute-call.ts', "import { approvePlan } from './plans.ts';")).toEqual([]);
  });

  it('refuses a folder that is no layer', () => {
    expect(problems('misc/x.ts', "import { a } from './b.ts';")).toHaveLength(1);
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
