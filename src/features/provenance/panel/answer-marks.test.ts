import { expect, it, vi } from 'vitest';
import { markOutdated } from './outdated-answers.ts';

it('leaves nothing in a page from which the plugin has gone while its file was loaded', () => {
  const answers = { outdated: vi.fn(), subscribe: vi.fn(), open: vi.fn(), close: vi.fn() };
  const page = { createElement: vi.fn(() => ({ dataset: {} })), head: { append: vi.fn() } };
  vi.stubGlobal('document', page);
  try {
    markOutdated(answers as never, AbortSignal.abort());
  } finally {
    vi.unstubAllGlobals();
  }
  expect(page.head.append).not.toHaveBeenCalled();
  expect(answers.subscribe).not.toHaveBeenCalled();
});
