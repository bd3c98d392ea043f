import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPdfReader } from '../esbuild.config.mjs';
import { pdfTextOnly } from './pdf-text-only.ts';

/** A PDF of these objects; the first one is its catalog. A page is 3, what it says 4, its fonts are in 5. */
function pdfOf(content: string, fonts: string, more: readonly string[] = []): string {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]/XFA[(template)(<template/>)]>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Annots[<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(note)>>]/Resources 5 0 R>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    `<</Font<<${fonts}>>/XObject<</I ${6 + more.length} 0 R>>/Shading<</S<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 1 1]>>>>>>`,
    ...more,
    '<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/Length 2>>stream\n\xff\xd8\nendstream',
  ];
  return `%PDF-1.7\n${objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj`).join('\n')}\ntrailer<</Root 1 0 R>>`;
}

const stream = (text: string): string => `<</Length ${text.length}>>stream\n${text}\nendstream`;
const MAP = '/CIDInit begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfchar <0041> <6C34> endbfchar endcmap';
const PDFS = {
  'a font that every reader has': [
    pdfOf('BT /F 12 Tf 20 90 Td (High water) Tj ET', '/F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'),
    'High water',
  ],
  'a font of other letters': [
    pdfOf('BT /F 12 Tf 20 90 Td (\\341) Tj ET', '/F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding<</Differences[225/eacute]>>>>'),
    'é',
  ],
  'Chinese by a table of its own': [
    pdfOf(
      'BT /F 12 Tf 20 90 Td <0041> Tj ET',
      '/F<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 7 0 R>>',
      [
        '<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 1000>>',
        stream(MAP),
      ],
    ),
    '水',
  ],
  'letters that are drawings with a picture and a shading': [
    pdfOf(
      'BT /F 12 Tf 20 90 Td (a) Tj ET',
      '/F<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/CharProcs<</a 6 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[9]/Resources 5 0 R>>',
      [stream('9 0 d0 /I Do /S sh 0 0 5 5 re f')],
    ),
    'a',
  ],
  'words between pictures, patterns and shadings': [
    pdfOf('/I Do /S sh /Pattern cs /P scn BT /F 12 Tf 20 90 Td (low) Tj ET', '/F<</Type/Font/Subtype/Type1/BaseFont/Courier>>'),
    'low',
  ],
} as const;

/** A process of its own: pdf.js leaves its worker on the global object. */
const READ = `
const { getDocument } = await import(process.argv[1]);
const { readFileSync } = await import('node:fs');
const pdf = await getDocument({ data: new Uint8Array(readFileSync(process.argv[2])), verbosity: 0 }).promise;
await pdf.getMetadata();
const { items } = await (await pdf.getPage(1)).getTextContent();
await pdf.loadingTask.destroy();
process.stdout.write(items.map(({ str }) => str).join(''));`;

describe('pdf.js without what draws', () => {
  let folder = '';
  let reader = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'marginalia-pdf-'));
    reader = join(folder, await buildPdfReader(folder));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(Object.entries(PDFS))('reads %s', (_name, [bytes, words]) => {
    const file = join(folder, 'some.pdf');
    writeFileSync(file, bytes, 'latin1');
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', READ, reader, file], { encoding: 'utf8' })).toBe(words);
  });

  it('keeps its worker to itself: SiYuan shows PDFs by a pdf.js of another version', () => {
    const program =
      'await import(process.argv[1]); process.stdout.write(Object.keys(globalThis).filter((name) => /pdf/i.test(name)).join());';
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', program, reader], { encoding: 'utf8' })).toBe('');
  });

  it('is less than half of it', () => {
    expect(readFileSync(reader).length).toBeLessThan(720_000);
  });

  it('is not made of another pdf.js than the one that was looked at', () => {
    const whole = readFileSync(join(dirname(createRequire(import.meta.url).resolve('unpdf')), 'pdfjs.mjs'), 'utf8');
    expect(() => pdfTextOnly(whole.replaceAll('XFAFactory', 'FormFactory'))).toThrow('pdf.js has changed: XFAFactory → look at');
  });
});
