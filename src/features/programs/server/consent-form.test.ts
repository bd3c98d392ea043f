import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangePlan, PLAN_ACTIONS, type PlanAction, type PlanOperation, type PlanPosition } from '../../../tools/contract/plans.ts';
import type { ApprovalRequest } from '../../../tools/contract/types.ts';
import { hasUnseen, visibleText } from '../../../tools/safe-content/unseen.ts';
import { CONSENT_FORMS } from './consent-form.ts';

/** One of each class, with the code that a person is shown. */
const UNSEEN = [
  ...['\u202e', '\u2066', '\u200e', '\u061c', '\u200b', '\u2060', '\ufeff', '\u00ad', '\u00a0', '\u2003', '\u202f', '\u0007', '\u001b'],
  ...['\u2028', '\u2029', '\u0085', '\u{e0041}', '\ufe0f', '\u{e0101}', '\u3164', '\u2800', '\ue000', '\ufffc', '\ud800', '\u180e'],
];

const DATABASE: ReadonlySet<PlanAction> = new Set([
  ...(['set-cell', 'add-row', 'remove-row', 'add-column', 'rename-column', 'move-column', 'remove-column', 'add-option'] as const),
]);
const PLACES: ReadonlySet<PlanAction> = new Set([
  ...(['create-document', 'rename-document', 'move-document', 'duplicate-document', 'delete-document'] as const),
  ...(['create-notebook', 'rename-notebook', 'open-notebook', 'close-notebook', 'remove-notebook'] as const),
]);

const sign = fc.constantFrom(...'abcXYZ 019-#>*|"›/\\`', '中', 'é', '🙂', '\n', '\t', ...UNSEEN);
const text = fc.array(sign, { minLength: 1, maxLength: 20 }).map((signs) => signs.join(''));
/** Each is another, so that one cannot stand for another. */
const words = fc.tuple(fc.integer({ min: 1e6, max: 9e6 }), text).map(([n, rest]) => `w${n}${rest}`);
const position: fc.Arbitrary<PlanPosition> = fc.record({
  path: fc.array(words, { minLength: 1, maxLength: 3 }),
  at: fc.constantFrom('start', 'end', 'before', 'after'),
  block: fc.record({ type: fc.constantFrom('h', 'p', 'l'), words }),
});

function withValues(action: PlanAction, isOther: boolean): fc.Arbitrary<PlanOperation> {
  const base = {
    id: fc.uuid(),
    action: fc.constant(action),
    blockId: fc.constant('20240101000000-abcdefg'),
    blockType: fc.constantFrom('p', 'h', 'd'),
    requires: fc.constant([]),
    before: words,
    after: words,
    ...(isOther ? { document: fc.record({ id: fc.constant('20240101000000-1234567'), title: words, path: words }) } : {}),
  };
  if (DATABASE.has(action)) return fc.record({ ...base, cell: fc.record({ row: words, column: words }), database: words });
  if (action === 'set-attributes')
    return fc.record({ ...base, attributes: fc.array(fc.record({ name: words, before: words, after: words }), { minLength: 1 }) });
  if (PLACES.has(action)) {
    const names = fc.array(words, { minLength: 1, maxLength: 3 });
    return fc.record({ ...base, path: fc.record({ before: names, after: names }) });
  }
  if (action === 'write-file') return fc.record({ ...base, to: words });
  return fc.record({ ...base, position: fc.record({ before: position, after: position }) });
}

const plan = fc.array(fc.tuple(fc.constantFrom(...PLAN_ACTIONS), fc.boolean()), { minLength: 1, maxLength: 3 }).chain((kinds) =>
  fc.record({
    id: fc.constant('plan'),
    tool: fc.constant('some_tool'),
    notebook: fc.record({ id: fc.constant('20240101000000-0000000'), name: words }),
    document: fc.record({ id: fc.constant('20240101000000-1111111'), title: words, path: words }),
    operations: fc.tuple(...kinds.map(([action, isOther]) => withValues(action, isOther))),
    anchorId: fc.constant(null),
    undo: fc.constant({ kind: 'exact' as const }),
    notices: fc.constant([{ code: 'references-lost', count: 3 }]),
  }),
);

const asked = (part: Partial<ApprovalRequest>): ApprovalRequest => ({
  ...{ approvalId: 'a', callId: 'c', kind: 'execution', tool: 'some_tool', args: {} },
  ...part,
});
const messageOf = (part: Partial<ApprovalRequest>): string | undefined => CONSENT_FORMS.formOf('Client', asked(part))?.message;

/** What a person reads of it: signs of the form's lines, and of line breaks and white space at their ends, left out. */
const bare = (shown: string): string => shown.replace(/^[+\- ] /gm, '').replace(/[\s·→↵›"\\]/g, '');
/** The lines of a text as the form shows them. */
const shownOf = (value: string): string[] => value.split('\n').map((line) => bare(visibleText(line)));

function valuesOf(change: ChangePlan): string[] {
  const places = (each: PlanPosition | null | undefined): string[] => (each ? [...each.path, each.block?.words ?? ''] : []);
  return [
    change.notebook.name,
    change.document.title,
    ...change.operations.flatMap((each) => {
      const { action, before, after, attributes, path, cell, database, position: at, to, document } = each;
      const texts = attributes || (PLACES.has(action) && path) ? [] : [before ?? '', after ?? ''];
      const isSaid = action === 'open-notebook' || action === 'close-notebook';
      const copied = action === 'duplicate-document' ? [] : (path?.before ?? []);
      return [
        ...texts,
        ...(isSaid ? [] : [...copied, ...(path?.after ?? [])]),
        ...(attributes?.flatMap((one) => [one.name, one.before ?? '', one.after ?? '']) ?? []),
        ...(cell ? [cell.row, cell.column, database ?? ''] : []),
        ...places(at?.before),
        ...places(at?.after),
        ...(to === undefined ? [] : [to]),
        ...(document ? [document.title, document.path] : []),
      ];
    }),
  ];
}

describe('the question for a person at another program', () => {
  it('shows every text, place, title, cell and attribute of a plan whole, each unseen character as a sign', () => {
    fc.assert(
      fc.property(plan, (change) => {
        const message = messageOf({ plan: change });
        if (message === undefined) return;
        expect(hasUnseen(message)).toBe(false);
        for (const line of valuesOf(change).flatMap(shownOf)) expect(bare(message)).toContain(line);
      }),
      { numRuns: 400 },
    );
  });

  it.each(PLAN_ACTIONS)('names what is done and is no guess of its kind: %s', (action) => {
    const [sample] = fc.sample(withValues(action, true), { numRuns: 1, seed: 7 });
    const change = { ...(fc.sample(plan, { numRuns: 1, seed: 7 })[0] as ChangePlan), operations: [sample as PlanOperation] };
    for (const line of valuesOf(change).flatMap(shownOf)) expect(bare(messageOf({ plan: change }) ?? '')).toContain(line);
  });

  const place = { path: ['Apollo', 'Plan'], at: 'after', block: { type: 'p', words: 'First words' } } as const;
  const document = { id: 'd', title: 'Apollo', path: '/Work/Apollo' };
  const change = (operations: readonly Partial<PlanOperation>[]): ChangePlan => ({
    ...{ id: 'p', tool: 'some_tool', notebook: { id: 'n', name: 'Projects' }, document, anchorId: null },
    operations: operations.map((each, index) => ({
      ...{ id: String(index), action: 'update', blockId: 'b', blockType: 'p', before: null, after: null, requires: [] },
      ...each,
    })),
    undo: { kind: 'partial' },
    notices: [{ code: 'references-lost', count: 3 }],
  });

  it('reads as the approval does: the sentence, the note, the place, the lines, what is lost, and Undo', () => {
    expect(messageOf({ plan: change([{ action: 'insert', after: 'One.\nTwo.', position: { after: place } }]) })).toMatchInlineSnapshot(`
      "Client wants to call some_tool:

      Add 1 block below “First words” in Apollo › Plan

      Projects › Apollo (/Work/Apollo)

      Add paragraph
        Apollo › Plan, below “First words”
      + One.
      + Two.

      ! 3 blocks elsewhere refer to what will be deleted.

      Undo brings back part of it."
    `);
    const cell = { row: 'Mars', column: 'Done' };
    expect(
      messageOf({ plan: change([{ action: 'set-cell', cell, database: 'Planets', before: null, after: 'true' }]) }),
    ).toMatchInlineSnapshot(`
      "Client wants to call some_tool:

      Set 1 cell in “Planets” · Apollo

      Projects › Apollo (/Work/Apollo)

      Set cell
        Planets › Mars › Done: – → true

      ! 3 blocks elsewhere refer to what will be deleted.

      Undo brings back part of it."
    `);
    const other = { id: 'e', title: 'Gemini', path: '/Work/Gemini' };
    expect(
      messageOf({
        plan: change([
          {
            action: 'move',
            before: 'One.',
            after: 'One.',
            position: { before: place, after: { path: ['Gemini'], at: 'end' } },
            document: other,
          },
        ]),
      }),
    ).toMatchInlineSnapshot(`
      "Client wants to call some_tool:

      Move 1 block to the end of Gemini

      Projects › Apollo (/Work/Apollo)

      Projects › Gemini (/Work/Gemini)

      Move paragraph
        Apollo › Plan, below “First words” → Gemini, at the end of the note
        One.

      ! 3 blocks elsewhere refer to what will be deleted.

      Undo brings back part of it."
    `);
  });

  it('shows what changes at the end of a line, and says where only that changes', () => {
    expect(messageOf({ plan: change([{ before: 'One.', after: 'One.  ' }]) })).toContain('+ One.··');
    expect(messageOf({ plan: change([{ before: 'One.', after: 'One.\u200b' }]) })).toMatch(
      /only invisible characters change[\s\S]*\+ One\.⟨U\+200B⟩/,
    );
  });

  it.each([
    ['what leaves', { outgoing: { destination: 'https://a.example/\u202e', body: 'x\u200b\ny' } }],
    ['a command', { program: { language: 'shell', code: 'ls \u202e', folder: '/tmp/\u00a0', timeoutSeconds: 3 } }],
    ['arguments', { args: { text: 'a\u202eb\u00ad' } }],
    ['the name of a tool and of a sub-agent', { tool: 'x\u202e', subAgent: { callId: 'c', label: 'Helper\u200b\nwants' } }],
  ] as const)('shows unseen characters of %s', (_name, part) => {
    const message = messageOf(part);
    expect(message).toMatch(/⟨U\+/);
    expect(hasUnseen(message ?? '')).toBe(false);
  });

  it('shows a script with its arguments, its declaration and its text', () => {
    const program = {
      language: 'python',
      code: 'print()',
      folder: '/f',
      timeoutSeconds: 3,
      file: 'a.py',
      manifest: 'limits',
      isNew: true,
    } as const;
    const message = messageOf({ program, args: { city: 'Oslo' } });
    for (const part of ['print()', '/f', '3 s', 'a.py', 'limits', 'Oslo']) expect(message).toContain(part);
  });

  it('is not asked there where the client could show its model what is asked about', () => {
    expect(CONSENT_FORMS.formOf('Client', asked({ kind: 'result', resultText: 'A secret.' }))).toBeNull();
    expect(CONSENT_FORMS.formOf('Client', asked({ kind: 'result' }))).toBeNull();
    const secret = {
      ...change([{ before: 'a', after: 'b' }]),
      notices: [{ code: 'hidden-tags-kept', count: 1, personOnly: true }],
    } as const;
    expect(CONSENT_FORMS.formOf('Client', asked({ plan: secret }))).toBeNull();
  });

  it('is not asked there where it cannot be shown whole or takes more than a yes', () => {
    expect(CONSENT_FORMS.formOf('Client', asked({ args: { text: 'a'.repeat(20_000) } }))).toBeNull();
    expect(CONSENT_FORMS.formOf('Client', asked({ plan: { ...change([{ before: 'a', after: 'b' }]), needsRight: 'write' } }))).toBeNull();
  });

  it('says what a yes allows beyond the call', () => {
    expect(messageOf({ scope: 'n', lasting: true, plan: change([{ before: 'a', after: 'b' }]) })).toContain(
      'Projects is allowed for the rest',
    );
  });
});
