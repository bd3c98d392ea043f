import { expect, it } from 'vitest';
import { createMemoryAssets } from '../../src/chat/testing/memory-assets.ts';
import { foreignText } from '../../src/features/mcp-client/foreign-result.ts';
import { keepPictures } from '../../src/features/mcp-client/server-pictures.ts';
import { ToolError } from '../../src/tools/contract/errors.ts';
import { NEVER } from '../../src/tools/util/abort.ts';
import { toBase64 } from '../../src/tools/util/base64.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const PNG = toBase64(bytes('\x89PNG\r\n\x1a\nrest'));
const SVG = toBase64(bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'));
const image = (data: string, mimeType: string) => ({ type: 'image', data, mimeType });
const options = (keepPicture = keepPictures(createMemoryAssets())) => ({ tool: 'draw [x](y)', signal: NEVER, keepPicture });

it('keeps pictures by their bytes, and none of what is only called a picture', async () => {
  const content = [image(PNG, 'image/svg+xml'), image(SVG, 'image/png'), image('%%', 'image/png'), { type: 'text', text: 'Done.' }];
  const [picture, svg, broken, text] = (await foreignText({ content }, options())).split('\n\n');
  expect(picture).toMatch(/^!\[Picture 1 of draw-x-y-\]\(assets\/[\w.-]+\.png\)$/);
  expect([svg, broken]).toEqual([expect.stringMatching(/^\[image: image\/png, .* not shown\]$/), expect.stringContaining('not shown')]);
  expect(text).toBe('Done.');
});

it('keeps a picture that is embedded as a resource, eight of one result, and none that is too large', async () => {
  const resource = { type: 'resource', resource: { uri: 'x://p', mimeType: 'image/png', blob: PNG } };
  const many = await foreignText({ content: [resource, ...Array.from({ length: 9 }, () => image(PNG, 'image/png'))] }, options());
  expect(many.match(/!\[/g)).toHaveLength(8);
  const large = new Uint8Array(5 * 1024 * 1024 + 1);
  large.set(bytes('\x89PNG\r\n\x1a\n'));
  expect(await foreignText({ content: [image(toBase64(large), 'image/png')] }, options())).toContain('not shown');
});

it('loses no result where nothing can be kept', async () => {
  const save = async (): Promise<string> => {
    throw new ToolError('read_only', 'the workspace is read-only', 'go on without it');
  };
  const keep = keepPictures({ save, read: async () => new Uint8Array() });
  expect(await foreignText({ content: [image(PNG, 'image/png')] }, options(keep))).toContain('not shown');
});
