// The look is made of few measures, named once in panel.css: three sizes of type, one radius, a rhythm of four pixels, the host's colours.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = dirname(import.meta.dirname);
const TOKENS = 'ui/panel.css';
/** Half steps, for what is set right by eye. */
const FINE = new Set([1, 2]);
const STEP = 4;
const COLOUR =
  /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(|\b(?:white|black|gr[ae]y|red|green|blue|yellow|orange|purple|silver)\b/iu;
const TYPE = /^(?:inherit|var\(--mg-font-(?:small|medium|large|title|heading|lesser|raised)\))$/u;
const RADIUS = /^(?:inherit|0|50%|999px|(?:(?:0|var\(--mg-radius\))(?: (?!$)|$)){1,4})$/u;

/** What a style says that is none of the measures. The first rule of panel.css names them. */
function strayMeasures(file: string, source: string): readonly string[] {
  const styles = file.endsWith('.svelte') ? [...source.matchAll(/<style>(.*?)<\/style>/gsu)].map(([, css = '']) => css) : [source];
  const css = styles
    .join('\n')
    .replaceAll(/\/\*.*?\*\//gsu, '')
    .replace(file === TOKENS ? /\.mg-panel \{.*?\n\}/su : /$^/u, '');
  const stray = ([, property = '', value = '']: readonly string[]): boolean => {
    if (property === 'font-size') return !TYPE.test(value);
    if (property === 'font') return value !== 'inherit' && !/^(?:\d00 )?var\(--mg-font-\w+\)(?: \/ [\d.]+(?:px)?)? /u.test(value);
    if (/^border(?:-\w+)*-radius$/u.test(property)) return !RADIUS.test(value);
    if (/^(?:padding|margin|gap|row-gap|column-gap)(?:-[\w-]+)?$/u.test(property))
      return [...value.matchAll(/(\d+(?:\.\d+)?)px/gu)].some(([, pixels]) => Number(pixels) % STEP !== 0 && !FINE.has(Number(pixels)));
    return COLOUR.test(value.replaceAll(/var\(--[\w-]+/gu, ''));
  };
  return [...css.matchAll(/(?<=^|[;{])\s*([\w-]+):\s*([^;{}]+);/gu)]
    .filter((found) => stray(found))
    .map(([, property, value]) => `${file}: ${property}: ${value}`);
}

describe('the measures of the look', () => {
  const files = globSync('{ui,features}/**/*.{svelte,css}', { cwd: src, exclude: ['**/testing/**'] });

  it('are used by every style', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((file) => strayMeasures(file, readFileSync(join(src, file), 'utf8')))).toEqual([]);
  });

  it.each([
    'font-size: 11px',
    'font-size: 0.93em',
    'font: 12px var(--b3-font-family-code)',
    'border-radius: 3px',
    'border-radius: var(--b3-border-radius-s, 3px)',
    'border-top-left-radius: 4px',
    'padding: 6px 8px',
    'margin-left: -10px',
    'gap: 5px',
    'color: #555',
    'background: rgb(0 0 0 / 60%)',
    'border: 1px solid grey',
    'color: var(--b3-theme-primary, #3575f0)',
  ])('refuse %s', (rule) => {
    expect(strayMeasures('Some.svelte', `<p></p><style>\n  p {\n    top: 0;\n    ${rule};\n  }\n</style>`)).toHaveLength(1);
    expect(strayMeasures('some.css', `p { ${rule}; }`)).toHaveLength(1);
  });

  it.each([
    'font-size: var(--mg-font-small)',
    'font: 600 var(--mg-font-small) / 1.5 var(--b3-font-family-code)',
    'border-radius: var(--mg-radius) var(--mg-radius) 0 0',
    'border-radius: 50%',
    'margin: 1px -4px 8px auto',
    'color: color-mix(in srgb, var(--b3-theme-primary), transparent)',
    'white-space: pre-wrap',
  ])('allow %s', (rule) => expect(strayMeasures('some.css', `p { ${rule}; }`)).toEqual([]));
});
