// How a talk reads, on the built plugin: in the order in which it happened, in words of notes and not of the machinery.
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { ChatFiles, gate } from '../support/chats.ts';
import type { ModelRequest, Script } from '../support/model-server.ts';
import { NotesDriver } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const LISBON = '20261103200000-lisbon0';
const WAY = '20261103200501-lisway0';

const hashOf = ({ messages }: ModelRequest, id: string): string | undefined =>
  new RegExp(`@@${id}@@\\w+#(\\w+)`).exec(messages.map(({ role, content }) => (role === 'tool' ? content : '')).join('\n'))?.[1];
const change =
  (text: string): Script =>
  (request) => ({
    text,
    calls: [
      { name: 'edit_block', args: { id: WAY, expectHash: hashOf(request, WAY), edits: [{ old: '19 April', new: '**20 April**' }] } },
      { name: 'insert_blocks', args: { anchor: LISBON, position: 'append', markdown: '## Packing\n\nPassports' } },
    ],
  });

describe.skipIf(!chromiumPath)('a talk', () => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  async function open(settings: Record<string, unknown> = {}): Promise<{ app: TestApp; panel: PanelDriver }> {
    app = await startApp({ settings });
    const panel = drive(app.page);
    await panel.open();
    return { app, panel };
  }

  /** Texts, cards and lines of an answer from top to bottom, as they are in the document and so for a screen reader. */
  const story = (panel: PanelDriver): Promise<readonly string[]> =>
    panel.answer.evaluate((answer) =>
      [...answer.querySelectorAll<HTMLElement>('.mg-md__group > p, [data-tool], .mg-work__line, .mg-thought > summary')]
        .filter((element) => element.checkVisibility())
        .map((element) =>
          element.dataset.tool
            ? `card ${element.querySelector('.mg-tool__name')?.textContent} ${element.querySelector('.mg-tool__subject')?.textContent}`
            : (element.getAttribute('aria-label') ?? element.textContent).trim(),
        ),
    );

  it('reads in the order of events, while it runs, when it is complete and when it is reopened', async () => {
    const { app, panel } = await open();
    const { held, open: goOn } = gate();
    app.model.push(
      { reasoning: 'They want the plan.', text: 'I look for it.', calls: [{ name: 'search_notes', args: { query: 'Lisbon' } }] },
      { text: 'I read it in full.', calls: [{ name: 'read_doc', args: { id: LISBON } }] },
      change('I would change two things.'),
      { text: 'The day is right now.', hold: held },
    );
    await panel.send('Put the day right');
    const list = panel.approval.getByRole('listitem');
    // The card of a change that waits names the note, too.
    await panel.answer.getByText('Adding to', { exact: true }).waitFor();
    await expect
      .poll(async () => (await story(panel)).slice(0, 6))
      .toEqual([
        'Thought',
        'I look for it.',
        expect.stringMatching(/^Searched once/),
        'I read it in full.',
        expect.stringMatching(/^Read 1 note/),
        'I would change two things.',
      ]);
    await expect.poll(async () => (await story(panel)).slice(6)).toEqual(['card Changing Lisbon 2027', 'card Adding to Lisbon 2027']);
    // One question of the right for both.
    await panel.approval.getByRole('radio', { name: /^This time/ }).check();
    await list.first().getByRole('button', { name: 'Changes', exact: true }).click();
    await panel.approval.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect.poll(() => list.count()).toBe(0);
    // Of the second change only a part is taken.
    await panel.approval.getByRole('checkbox').last().uncheck();
    await panel.approval.getByRole('button', { name: 'Approve 1 of 2' }).click();
    await panel.answer.getByText('The day').waitFor();
    await expect.poll(async () => (await story(panel)).at(-2)).toBe('Wrote into Lisbon 2027 · you left out 1 change');
    goOn();
    await panel.settled();
    await panel.answer.getByRole('button', { name: /^Wrote into/ }).click();
    await panel.tool('insert_blocks').getByText('1 of 2 changes written; you left out “Passports”.').waitFor();
    await panel.answer.getByRole('button', { name: /^Wrote into/ }).click();
    const told = [
      'Thought',
      'I look for it.',
      expect.stringMatching(/^Searched once · [\d.]+ s$/),
      'I read it in full.',
      expect.stringMatching(/^Read 1 note · [\d.]+ s$/),
      'I would change two things.',
      'Wrote into Lisbon 2027 · you left out 1 change',
      'The day is right now.',
    ];
    await expect.poll(() => story(panel)).toEqual(told);
    await app.reload();
    await panel.open();
    await panel.answer.getByText('The day is right now.').waitFor();
    await expect.poll(() => story(panel)).toEqual(told);
  });

  /** Names in the accessibility tree, in the order in which a screen reader comes to them. */
  async function spoken({ page }: TestApp): Promise<string[]> {
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    await session.detach();
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const namesBelow = (id: string): string[] => {
      const node = byId.get(id);
      const own = node && !node.ignored ? [String(node.name?.value ?? '')] : [];
      return [...own, ...(node?.childIds ?? []).flatMap(namesBelow)];
    };
    return nodes.filter(({ parentId }) => parentId === undefined).flatMap(({ nodeId }) => namesBelow(nodeId));
  }

  it('is told to a screen reader in the order in which it is seen, and so reads the note that is made of it', async () => {
    const { app, panel } = await open();
    const notes = new NotesDriver(app);
    await notes.setRights({ [await app.notebook('Life')]: 'write' });
    await app.reload();
    await panel.open();
    app.model.push(
      { text: 'I look for it.', calls: [{ name: 'search_notes', args: { query: 'Lisbon' } }] },
      { text: 'I read it in full.', calls: [{ name: 'read_doc', args: { id: LISBON } }] },
      { text: 'It is in April.' },
    );
    await panel.send('When is my trip?');
    await panel.settled();
    for (const line of await panel.answer.locator('.mg-work__line').all()) await line.click();
    const texts = [/^I look for it\.$/, /^I read it in full\.$/, /^It is in April\.$/];
    const [first, second, third] = texts;
    const wanted = [first, /^Searched once/, /^Search notes/, second, /^Read 1 note/, /^Read note/, third].map((each) => each as RegExp);
    const orderIn = (heard: readonly string[]): string[] =>
      wanted
        .map((each) => ({ name: each.source, at: heard.findIndex((name) => each.test(name.trim())) }))
        .sort((one, other) => one.at - other.at)
        .map(({ name, at }) => (at < 0 ? `not heard: ${name}` : name));
    await expect.poll(async () => orderIn(await spoken(app))).toEqual(wanted.map(({ source }) => source));
    const heights = await Promise.all(wanted.map(async (each) => (await panel.answer.getByText(each).first().boundingBox())?.y ?? 0));
    expect(heights).toEqual([...new Set(heights)].sort((one, other) => one - other));

    await panel.region.getByRole('button', { name: 'More', exact: true }).first().click();
    await panel.region.getByRole('menuitem', { name: 'Save as a note' }).click();
    await panel.saveNote();
    const bound = () => new ChatFiles(app).chat('When is my trip?').boundDocument;
    await expect.poll(bound).toBeDefined();
    const id = bound();
    const { kramdown } = await app.kernel<{ kramdown: string }>('/api/block/getBlockKramdown', { id });
    const lines = kramdown.split('\n').map((line) => line.trim());
    expect(lines.filter((line) => texts.some((each) => each.test(line)))).toEqual([
      'I look for it.',
      'I read it in full.',
      'It is in April.',
    ]);
  });

  it('names the note, never an id, when a read needs approval, and shows the arguments on request', async () => {
    const { app, panel } = await open({ toolCalls: { requireConfirmation: true } });
    app.model.push({ calls: [{ name: 'read_doc', args: { id: LISBON, blocks: 5 } }] }, { text: 'Read.' });
    await app.page.clock.install();
    await panel.send('Read my plan');
    await panel.approval.getByRole('link', { name: 'Lisbon 2027' }).waitFor();
    await panel.answer.getByText('Lisbon 2027', { exact: true }).waitFor();
    expect(await panel.region.innerText()).not.toMatch(/\d{14}-[0-9a-z]{7}|\bblocks\b/);
    await panel.approval.getByText('Details', { exact: true }).click();
    await panel.approval.getByText(LISBON).waitFor();
    await app.page.clock.fastForward(60_000);
    await panel.approval.getByRole('button', { name: 'Approve', exact: true }).click();
    await panel.settled();
    // How long a person took is not how long it took.
    await expect.poll(() => panel.answer.locator('.mg-work__line').innerText()).toMatch(/^Read 1 note · [1-5]?\d\.\d s$/);
    await panel.answer.locator('.mg-work__line').click();
    const card = panel.tool('read_doc');
    await card.getByRole('button').first().click();
    await card.getByText('What the model read').waitFor();
    expect(await card.innerText()).not.toMatch(/\d{14}-[0-9a-z]{7}|read_doc|@@/);
    await card.getByText('Details', { exact: true }).click();
    await card.getByText('read_doc', { exact: true }).waitFor();
  });

  it('says in words that a change could not be understood, and shows thoughts and results as text', async () => {
    const { app, panel } = await open();
    app.model.push(
      { reasoning: `I need **the note** \`${LISBON}\`.`, calls: [{ name: 'read_doc', args: { id: LISBON } }] },
      { text: 'Now I change it.', calls: [{ name: 'edit_block', args: { edits: [{ id: WAY, old: 'a', new: 'b' }] } }] },
      { text: 'Done with ==care== and #travel#.' },
    );
    await panel.send('Change it');
    await panel.settled();
    await panel.answer.getByText('1 change was not written. The model’s request could not be understood.').waitFor();
    await panel.answer.locator('mark', { hasText: /^care$/ }).waitFor();
    await panel.answer.locator('.mg-tag', { hasText: /^travel$/ }).waitFor();
    await panel.answer.getByRole('button', { name: /^Read 1 note/ }).click();
    await panel.answer.locator('.mg-thought-text strong', { hasText: 'the note' }).waitFor();
    const card = panel.tool('read_doc');
    await card.getByRole('button').first().click();
    await card.locator('h1', { hasText: /^Lisbon 2027$/ }).waitFor();
    await card.getByText('Life › Travel › Lisbon 2027').waitFor();
    expect(await panel.region.innerText()).not.toMatch(/\d{14}-[0-9a-z]{7}|expectHash|\bh[1-6]\b|\*\*|==|`/);
    // What was wrong is shown on request.
    await panel.answer.getByRole('button', { name: /^1 step/ }).click();
    const failed = panel.tool('edit_block');
    await failed.getByRole('button').first().click();
    await failed.getByText('Details', { exact: true }).click();
    await failed
      .getByText(/expectHash/)
      .first()
      .waitFor();
  });

  it('shows the words of a call that is being written, never its JSON', async () => {
    const { app, panel } = await open();
    const { held, open: goOn } = gate();
    const words = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ');
    app.model.push({ calls: [{ name: 'edit_block', args: { id: WAY, edits: [{ old: '19 April', new: words }] } }], hold: held });
    await panel.send('Change it');
    const card = panel.tool('edit_block');
    await card.getByText('word3').waitFor();
    expect(await card.innerText()).not.toMatch(/[{}[\]"]|old|new|2026/);
    await panel.region.getByRole('button', { name: 'Stop' }).click();
    await panel.settled('stopped');
    goOn();
  });
});
