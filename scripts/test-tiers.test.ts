import { describe, expect, it } from 'vitest';
import { testsReaching } from './changed-tests.ts';
import { filesByTier, reachableFrom, testFiles, tierOf } from './test-tiers.ts';

describe('the tiers of tests', () => {
  it('hold every test file once', () => {
    const files = testFiles();
    expect(files.length).toBeGreaterThan(300);
    expect(Object.values(filesByTier(files)).flat().sort()).toEqual(files);
  });

  it('put what drives a browser, starts a kernel, or does neither, apart', () => {
    expect(tierOf('tests/e2e/main-job.test.ts')).toBe('browser');
    expect(tierOf('src/ui/composer/composer.test.ts')).toBe('browser');
    expect(tierOf('tests/host/rewrite.test.ts')).toBe('host');
    expect(tierOf('tests/service/streams.test.ts')).toBe('host');
    expect(tierOf('src/tools/executor/arguments.test.ts')).toBe('unit');
  });

  it('let no unit test reach the browser driver', () => {
    const { unit } = filesByTier(testFiles());
    expect(unit.filter((file) => reachableFrom(file).has('tests/support/chromium.ts'))).toEqual([]);
  });
});

describe('the tests that a change can reach', () => {
  it('are those that import it, and those of the part of the built program that it belongs to', () => {
    const reaching = testsReaching(['src/service/http/guard.ts']);
    expect(reaching).toContain('tests/service/security.test.ts');
    expect(reaching).not.toContain('src/ui/composer/composer.test.ts');
  });

  it.each([
    ['a component', 'src/ui/composer/AttachButton.svelte', 'src/ui/composer/attaching.test.ts', 'src/ui/history/history.test.ts'],
    ['the state of components', 'src/ui/composer/composer.svelte.ts', 'src/ui/composer/composer.test.ts', 'src/ui/history/history.test.ts'],
    ['a test of the built plugin', 'tests/e2e/prices.test.ts', 'tests/e2e/prices.test.ts', 'tests/e2e/usage.test.ts'],
    ['what such tests share', 'tests/support/model-server.ts', 'tests/e2e/prices.test.ts', 'src/tools/executor/arguments.test.ts'],
    ["the development host's page", 'devhost/shell/main.ts', 'devhost/shell/shell.test.ts', 'tests/host/rewrite.test.ts'],
    ['a page of the documentation', 'docs/kernel.md', 'scripts/docs.test.ts', 'tests/e2e/main-job.test.ts'],
    ['the page about the project', 'README.md', 'scripts/docs.test.ts', 'tests/e2e/main-job.test.ts'],
  ])('are, for %s, those that show it', (_kind, changed, reached, other) => {
    const reaching = testsReaching([changed]);
    expect(reaching).toContain(reached);
    expect(reaching).not.toContain(other);
  });
});
