// What is drawn at all. Where the browser gives a frame no process of its own, a drawing that takes long holds up the whole page, and
// nothing can end it: so what could take long is not begun.
import type { DiagramFailure, DiagramKind } from './diagram-kind.ts';

/** Characters; a longer one is no diagram that anybody reads. */
const LONGEST = 8000;
/** Kinds of mermaid whose work grows with their text alone. */
const COMMON =
  /^(?:graph|flowchart|sequenceDiagram|classDiagram(?:-v2)?|stateDiagram(?:-v2)?|erDiagram|pie|mindmap|timeline|journey|gitGraph|gantt)\b/;
/** Front matter and directives set the limits of mermaid itself. */
const SETTINGS = /^\s*---\n[\s\S]*?\n---[^\n]*\n|%%\{[\s\S]*?\}%%/g;
/** A link of so many ranks has as many hidden nodes. */
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
/** Into how many parts something is cut or how often it is repeated: the library has good answers of its own. */
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

/** The source as it is drawn, without what may take for ever; or why it is not. */
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

/** Options of a chart are data: whatever else they hold is no JSON. */
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

/** A number that is no value of the chart and larger than any size or count has to be. */
function hasLarge(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > LARGEST;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, each]) => !VALUES.has(name) && hasLarge(each));
}
