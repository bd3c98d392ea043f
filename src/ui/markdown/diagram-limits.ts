// Limits of diagrams. If the browser gives a frame no process of its own, a slow diagram blocks the whole page, and
// nothing can stop it: so what could take long is not started.
import type { DiagramFailure, DiagramKind } from './diagram-kind.ts';

/** Maximum characters; a longer diagram is not readable. */
const LONGEST = 8000;
/** Kinds of mermaid whose cost grows only with their text. */
const COMMON =
  /^(?:graph|flowchart|sequenceDiagram|classDiagram(?:-v2)?|stateDiagram(?:-v2)?|erDiagram|pie|mindmap|timeline|journey|gitGraph|gantt)\b/;
/** Front matter and directives set the limits of mermaid itself. */
const SETTINGS = /^\s*---\n[\s\S]*?\n---[^\n]*\n|%%\{[\s\S]*?\}%%/g;
/** The maximum ranks of a link, each of which is a hidden node. */
const LONG_LINK = /[-=.~]{12}/;

const SERIES = new Set([
  'line',
  'bar',
  'pie',
  'scatter',
  'radar',
  'funnel',
  'gauge',
  'heatmap',
  'candlestick',
  'boxplot',
  'treemap',
  'sunburst',
  'tree',
]);
/** Options for the number of parts or repetitions: the library has good defaults. */
const COUNTED = new Set([
  ...['splitNumber', 'interval', 'minInterval', 'maxInterval', 'minorTick', 'minorSplitLine', 'logBase', 'symbolRepeat', 'calendar'],
  ...['layoutIterations', 'force', 'timeline', 'baseOption', 'media', 'dataZoom', 'sampling', 'graphic', '__proto__'],
]);
/** Lists of what is shown: their numbers are values. */
const VALUES = new Set(['data', 'source', 'min', 'max', 'value', 'children']);
const LARGEST = 2000;

interface Prepared {
  readonly source: string;
}

/** The source to render, without what may take for ever; or why it is not rendered. */
export function prepareDiagram(kind: DiagramKind, source: string): Prepared | DiagramFailure {
  if (source.length > LONGEST) return 'long';
  return kind === 'mermaid' ? prepareMermaid(source) : prepareChart(source);
}

function prepareMermaid(source: string): Prepared | DiagramFailure {
  const text = source
    .replace(SETTINGS, '')
    .replace(/^\s*%%[^\n]*$/gm, '')
    .trim();
  if (!COMMON.test(text)) return 'rare';
  const counts = text.startsWith('gantt') && /\d{5}/.test(text);
  return counts || LONG_LINK.test(text) ? 'long' : { source: text };
}

/** Options of a chart are data: anything else in them is not JSON. */
function prepareChart(source: string): Prepared | DiagramFailure {
  try {
    const options: unknown = JSON.parse(source, (name, value: unknown) => (COUNTED.has(name) ? undefined : value));
    if (typeof options !== 'object' || options === null || Array.isArray(options)) return 'unreadable';
    const series: unknown = Reflect.get(options, 'series');
    const listed: readonly unknown[] = Array.isArray(series) ? series : [series];
    if (!listed.every((each) => typeof each === 'object' && each !== null && SERIES.has(String(Reflect.get(each, 'type'))))) return 'rare';
    return hasLarge(options) ? 'long' : { source: JSON.stringify(options) };
  } catch {
    return 'unreadable';
  }
}

/** A number that is not a value of the chart and larger than any size or count needs to be. */
function hasLarge(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > LARGEST;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, each]) => !VALUES.has(name) && hasLarge(each));
}
