// The main job in a real browser, on the built plugin: ask, see the tools, approve a diff, see the note change, undo
// it; and the chat is there after a reload.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, notebookFiles, startApp, type TestApp } from '../support/app.ts';
import { watchAppearance } from '../support/appearance.ts';
import { frontTab } from '../support/hosts.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { lastToolText, summaryIntoToday } from '../support/scripts.ts';

const TOPIC = 'spaced repetition';
const SUMMARY = '## What I know about spaced repetition\n\n- It works best with growing gaps.\n- Four weeks later the difference is large.';
describe.skipIf(!chromiumPath)('the main job', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let note = '';
  let untouched = '';
  let written = '';

  /** DOM of today's note without what a write may change: `updated`. */
  const noteDom = async (): Promise<string> => {
    const { dom } = await app.kernel<{ dom: string }>('/api/block/getBlockDOM', { id: note });
    const { content } = await app.kernel<{ content: string }>('/api/filetree/getDoc', { id: note, mode: 0, size: 102400 });
    return `${dom}\n${content}`.replace(/ updated="\d+"/g, '').replace(/ data-node-index="\d+"/g, '');
  };
  const editor = () => app.page.locator('.protyle-wysiwyg:visible');

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    const life = await app.notebook('Life');
    note = (await app.kernel<{ id: string }>('/api/filetree/createDailyNote', { notebook: life })).id;
    const [first] = await app.kernel<{ id: string }[]>('/api/block/getChildBlocks', { id: note });
    const dom = `<div data-node-id="${first?.id}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">Rain all day.</div><div class="protyle-attr" contenteditable="false"></div></div>`;
    await app.kernel('/api/transactions', {
      app: 't',
      session: 't',
      reqId: 1,
      transactions: [{ doOperations: [{ action: 'update', id: first?.id, data: dom }], undoOperations: [] }],
    });
    await app.page.goto(app.address({ note: note }));
    await editor().getByText('Rain all day.').waitFor();
    await panel.open();
  });
  afterAll(() => app?.close());

  it('rejecting writes nothing: every file of every notebook stays as it was, byte by byte', async () => {
    const before = notebookFiles(app.workspace);
    app.model.push(...summaryIntoToday(TOPIC, SUMMARY).slice(0, 3), { text: 'Then I leave it.' });
    await panel.send(`What do my notes say about ${TOPIC}? Write a summary into today's note`);
    await panel.approval.waitFor();
    expect(notebookFiles(app.workspace)).toEqual(before);
    await panel.reject();
    await panel.settled();
    await expect.poll(() => panel.tool('daily_note').last().getAttribute('data-status')).toBe('execution_rejected');
    expect(lastToolText(app.model.requests.at(-1)!)).toContain('rejected');
    expect(notebookFiles(app.workspace)).toEqual(before);
  });

  it('shows the tools, asks with a diff, and after consent the note changes in the editor', async () => {
    untouched = await noteDom();
    await panel.newChat();
    app.model.push(...summaryIntoToday(TOPIC, SUMMARY));
    await panel.send(`What do my notes say about ${TOPIC}? Write a summary into today's note`);
    await panel.approval.waitFor();
    await expect.poll(() => panel.tool('search_notes').last().getAttribute('data-status')).toBe('success');
    await expect.poll(() => panel.tool('read_doc').last().getAttribute('data-status')).toBe('success');
    await expect.poll(() => panel.approval.locator('[data-diff]').innerText()).toContain('It works best with growing gaps.');
    expect(await noteDom()).toBe(untouched);
    const flashed = await watchAppearance(app.page, '.marginalia-flash');
    await panel.approve();
    await flashed();
    await panel.settled();
    await expect.poll(() => panel.tool('daily_note').last().getAttribute('data-status')).toBe('success');
    expect(await noteDom()).toContain('It works best with growing gaps.');
  });

  it('shows the change in the open editor, beside what stood there', async () => {
    await editor().getByText('It works best with growing gaps.').waitFor();
    await expect.poll(() => editor().innerText()).toContain('Rain all day.');
  });

  it('cites blocks that exist; a click opens the note', async () => {
    const link = panel.answer.locator('[data-block-id]').first();
    const id = await link.getAttribute('data-block-id');
    expect(await app.kernel('/api/block/checkBlockExist', { id })).toBe(true);
    const { rootTitle } = await app.kernel<{ rootTitle: string }>('/api/block/getBlockInfo', { id });
    await link.click();
    await frontTab(app.page, rootTitle).waitFor();
  });

  it('keeps the chat over a reload, and a second question uses a variable of the first turn', async () => {
    await app.reload();
    await panel.open();
    await panel.answer.getByText('The summary is in today').waitFor();
    app.model.push(
      (request) => {
        const name = /search_notes_[\w-]+_result/.exec(JSON.stringify(request.messages))?.[0];
        return { calls: [{ name: 'ReadVar', args: { name } }] };
      },
      { text: 'I looked at the earlier result again.' },
    );
    await panel.send('What exactly did you find before?');
    await panel.settled();
    await expect
      .poll(() => panel.tool('ReadVar').last().getAttribute('data-status'), {
        message: JSON.stringify(
          app.model.requests.slice(-2).map((r) => r.messages),
          null,
          1,
        ),
      })
      .toBe('success');
    expect(lastToolText(app.model.requests.at(-1)!).toLowerCase()).toContain(TOPIC);
  });

  it('undoes the write exactly, even after the reload', async () => {
    written = await noteDom();
    await panel.region.getByRole('button', { name: 'Undo' }).first().click();
    await panel.region.getByText('Undone', { exact: true }).first().waitFor();
    expect(await noteDom()).toBe(untouched);
  });

  it('redoes it exactly, even after a reload, and undoes it once more', async () => {
    const button = (name: string) => panel.region.getByRole('button', { name, exact: true }).first();
    await app.reload();
    await panel.open();
    await button('Redo').click();
    await button('Undo').waitFor();
    expect(await noteDom()).toBe(written);
    await button('Undo').click();
    await button('Redo').waitFor();
    expect(await noteDom()).toBe(untouched);
  });

  it('reached nothing but host and model', () => expect(app.foreignRequests).toEqual([]));
});
