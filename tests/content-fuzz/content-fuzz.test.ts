// Random Markdown through real Lute, the filter and the kernel's own way of keeping it, then into a page that treats it as SiYuan's page
// does, with real KaTeX and real mermaid: nothing runs, nothing is asked for, nothing leads where no link may lead.
//   MARGINALIA_FUZZ_COUNT=200000  more of them      MARGINALIA_FUZZ_SEED=7  others      MARGINALIA_FUZZ_FROM=123  from there on
//   MARGINALIA_FUZZ_SCRIPTS=…/stage/protyle/js  with the scripts of a SiYuan instead of vditor's
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../support/property-runs.ts';
import { chromiumPath, type FuzzPage, startFuzzPage } from './browser.ts';
import { composition } from './generator.ts';
import type { Finding, Item } from './page.ts';
import { guardedWriter, unguardedWriter, type Writer } from './writer.ts';

const COUNT = Number(process.env.MARGINALIA_FUZZ_COUNT ?? runCount(600, 2000));
const SEED = Number(process.env.MARGINALIA_FUZZ_SEED ?? 1);
const FROM = Number(process.env.MARGINALIA_FUZZ_FROM ?? 0);
/** So many go into the page at once. */
const BATCH = 250;
/** After so many findings the rest is more of the same. */
const ENOUGH = Number(process.env.MARGINALIA_FUZZ_ENOUGH ?? 100);

interface Report {
  compositions: number;
  written: number;
  formulas: number;
  diagrams: number;
  readonly findings: Finding[];
  /** What neither the filter refused nor the kernel could read. */
  readonly crashes: string[];
  /** Numbers of the compositions that only do something once somebody types in their block. */
  readonly typedIn: Set<number>;
}

async function attack(page: FuzzPage, write: Writer, count: number): Promise<Report> {
  const report: Report = { compositions: 0, written: 0, formulas: 0, diagrams: 0, findings: [], crashes: [], typedIn: new Set() };
  for (let start = FROM; start < FROM + count && report.findings.length < ENOUGH; start += BATCH) {
    const items: Item[] = [];
    for (let number = start; number < Math.min(start + BATCH, FROM + count); number += 1) {
      const dom = await write(composition(SEED, number)).catch((error: unknown) => {
        report.crashes.push(`${number}: ${error} ← ${JSON.stringify(composition(SEED, number))}`);
        return undefined;
      });
      if (dom) items.push({ number, dom });
      report.compositions += 1;
    }
    const { findings, formulas, diagrams } = await page.show(items, 'shown');
    report.written += items.length;
    report.formulas += formulas;
    report.diagrams += diagrams;
    report.findings.push(...findings);
    if (findings.length > 0) continue;
    for (const { number } of (await page.show(items, 'typed in')).findings) report.typedIn.add(number);
  }
  return report;
}

const told = ({ compositions, written, formulas, diagrams, findings, typedIn }: Report): string =>
  [
    `content fuzz: ${compositions} compositions of seed ${SEED} from ${FROM}, ${written} written, ${formulas} formulas and ${diagrams} diagrams drawn`,
    `${findings.length} findings`,
    `${typedIn.size} would turn live when somebody types in their block${typedIn.size > 0 ? ` (${[...typedIn].join(', ')})` : ''}`,
  ].join('; ');

const explained = ({ number, kind, stage, what }: Finding): string =>
  `${number} ${kind} (${stage}): ${what}\n  ← ${JSON.stringify(composition(SEED, number))}`;

describe.skipIf(!chromiumPath)('random Markdown in the page', () => {
  let page: FuzzPage;
  beforeAll(async () => {
    page = await startFuzzPage();
  });
  afterAll(() => page?.close());

  it('is told when nothing guards it', async () => {
    const { findings } = await attack(page, unguardedWriter, 100);
    const seen = (kind: Finding['kind'], stage: RegExp): boolean => findings.some((each) => each.kind === kind && stage.test(each.stage));
    expect(seen('runs', /^shown$/)).toBe(true);
    expect(seen('runs', /formulas/)).toBe(true);
    expect(seen('requests', /on the network/)).toBe(true);
    expect(seen('leads', /shown/)).toBe(true);
    expect(findings.some(({ what }) => what.startsWith('fuzz('))).toBe(true);
  });

  it(
    'runs nothing and asks for nothing',
    async () => {
      const report = await attack(page, guardedWriter(), COUNT);
      console.log(told(report));
      expect(report.written).toBeGreaterThan(COUNT / 10);
      expect(report.findings.map(explained)).toEqual([]);
      expect(report.crashes).toEqual([]);
      // The editor reads a block's text as Markdown again when somebody types in it: some text turns live then whatever was written.
      expect(report.typedIn.size).toBeLessThanOrEqual(Math.ceil(report.written / 200));
    },
    600_000 + COUNT * 50,
  );
});
