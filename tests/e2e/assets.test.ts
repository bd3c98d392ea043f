// Files in notes: a PDF is asked about, its page is cited and opened. On the built plugin, in the development host or a real SiYuan.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kernelFetch } from '../host/real-kernel.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { shownPdf } from '../support/hosts.ts';
import { NotesDriver, type TestNote } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { pdfOfPages } from '../support/pdf.ts';
import { lastToolText } from '../support/scripts.ts';

const PAPER = 'assets/paper-20260101000000-abcdefg.pdf';

describe.skipIf(!chromiumPath)('files in notes', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let note: TestNote;
  let notes: NotesDriver;

  beforeAll(async () => {
    app = await startApp({ settings: { groups: { assets: true } } });
    panel = drive(app.page);
    const body = new FormData();
    body.append('path', `/data/${PAPER}`);
    body.append(
      'file',
      new Blob([new Uint8Array(pdfOfPages(['Albedo is reflected light.', 'Cool roofs save a fifth.', 'Trees give shade.']))]),
      'paper.pdf',
    );
    await kernelFetch(String(new URL('/api/file/putFile', app.host.url)), { method: 'POST', body });
    notes = new NotesDriver(app);
    await notes.setRights({ [await app.notebook('Research')]: 'delete' });
    note = await notes.create('Research', 'Roofs', `The study:\n\n[paper.pdf](${PAPER})`);
    await notes.open(note);
    await panel.open();
  });
  afterAll(() => app?.close());

  const cited = (words: string) => panel.answer.locator('a.mg-cite', { hasText: words });
  /** The block with the PDF, as the result names it for a citation. */
  const blockIn = (text: string): string => /\(\((\S+)#p\d+ "words"\)\)/u.exec(text)?.[1] ?? '';

  it('are listed and read; the answer cites a page that was read, and a click opens it there', async () => {
    app.model.push(
      { calls: [{ name: 'assets', args: { op: 'list', id: note.id } }] },
      { calls: [{ name: 'assets', args: { op: 'text', path: PAPER, pages: '1-2' } }] },
      (request) => {
        const block = blockIn(lastToolText(request));
        return { text: `Roofs save a fifth ((${block}#p2 "Cool roofs")), trees shade ((${block}#p3 "Trees give shade")).` };
      },
    );
    await panel.send('What does the study say about roofs?');
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toContain('--- page 2 ---\nCool roofs save a fifth.');
    // The third page was not read in this chat.
    await panel.answer.locator('.mg-cite-unverified', { hasText: 'Trees give shade' }).waitFor();
    await expect.poll(() => cited('Trees give shade').count()).toBe(0);
    await cited('Cool roofs').click();
    await shownPdf(app.page, PAPER, 2);
  });

  it('get another name with the links to it, which are all in the approval, and Undo brings the old one back', async () => {
    const other = await notes.create('Research', 'Trees', `See [the study](${PAPER}?page=3).`);
    const before = [await notes.dom(note), await notes.dom(other)];
    app.model.push(
      { calls: [{ name: 'assets', args: { op: 'rename', path: PAPER, name: 'roof study' } }] },
      { text: 'It has a new name.' },
    );
    await panel.send('Call the file roof study');
    await expect.poll(() => panel.approval.innerText()).toMatch(/Roofs[\s\S]*Trees|Trees[\s\S]*Roofs/u);
    await expect.poll(() => panel.approval.innerText()).toContain('roof study-');
    await panel.approval.getByText('The old one stays', { exact: false }).first().waitFor();
    await panel.approve();
    await panel.settled();
    await expect.poll(async () => (await notes.texts(other)).join()).toMatch(/assets\/roof(?: |%20)study-\d{14}-\w{7}\.pdf\?page=3/u);
    await expect.poll(async () => (await notes.texts(note)).join()).toMatch(/assets\/roof(?: |%20)study-/u);
    await panel.region.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await panel.region.getByText('Undone', { exact: true }).first().waitFor();
    await expect.poll(async () => [await notes.dom(note), await notes.dom(other)]).toEqual(before);
  });
});
