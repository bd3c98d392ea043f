import { expect, it } from 'vitest';
import { prepareDiagram } from './diagram-limits.ts';

it('begins no drawing that could take for ever', () => {
  const refused = {
    'block-beta\n columns 1\n space:99999999\n a': 'rare',
    'packet-beta\n 0-999999999: "x"': 'rare',
    'gantt\n excludes weekends\n a :2026-01-01, 99999999d': 'long',
    [`graph TD\n A ${'-'.repeat(5000)}> B`]: 'long',
    [`pie\n${'"a" : 1\n'.repeat(2000)}`]: 'long',
  };
  for (const [source, why] of Object.entries(refused)) expect(prepareDiagram('mermaid', source)).toBe(why);
  expect(prepareDiagram('mermaid', '---\nconfig:\n  maxEdges: 1\n---\n%%{init: {"maxTextSize": 9}}%%\ngraph TD\n A --> B')).toEqual({
    source: 'graph TD\n A --> B',
  });
  const gauge = '{"series":[{"type":"gauge","splitNumber":100000,"axisTick":{"splitNumber":100000},"data":[{"value":1}]}]}';
  expect(prepareDiagram('echarts', gauge)).toEqual({ source: '{"series":[{"type":"gauge","axisTick":{},"data":[{"value":1}]}]}' });
  expect(prepareDiagram('echarts', '{"series":[{"type":"sankey","layoutIterations":1e9}]}')).toBe('rare');
  expect(prepareDiagram('echarts', '{"grid":{"width":1e9},"series":{"type":"bar","data":[5000000]}}')).toBe('long');
  expect(prepareDiagram('echarts', '{"series":{"type":"bar","data":[5000000]}}')).toEqual({
    source: '{"series":{"type":"bar","data":[5000000]}}',
  });
  expect(prepareDiagram('echarts', 'option = {}')).toBe('unreadable');
});
