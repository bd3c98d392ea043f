// What goes with a question: files, notes and prompts, by paste, button, "@", "/", drag and one click; and that what is guarded after
// it was attached leaves no text in the next request; on the built plugin.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { whenReady } from '../support/hosts.ts';
import { NotesDriver } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { pdfOfText } from '../support/pdf.ts';

describe.skipIf(!chromiumPath)('attaching', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let notes: NotesDriver;
  const chips = () => panel.region.locator('.mg-composer').getByRole('list', { name: 'Attached notes and files' }).getByRole('listitem');
  const marks = () => panel.region.locator('.mg-marks mark');
  const options = () => panel.region.getByRole('option');
  const sent = (): string => JSON.stringify(app.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user'));

  beforeAll(async () => {
    app = await startApp({
      settings: { prompts: [{ id: 'when', name: 'When', prompt: 'When was {{note}} made, {{input}}? {{date}}', output: 'ask' }] },
    });
    panel = drive(app.page);
    notes = new NotesDriver(app);
    await panel.open();
  });
  beforeEach(async () => {
    app.model.clear();
    await panel.message.fill('');
    for (let left = await chips().count(); left > 0; left--)
      await chips()
        .first()
        .getByRole('button', { name: /^Remove/ })
        .click();
    await panel.newChat();
  });
  afterAll(() => app?.close());

  /** A red picture, pasted. */
  const pastePicture = (name: string, side: number): Promise<void> =>
    panel.message.evaluate(
      async (field, { name, side }) => {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [side, side];
        const context = canvas.getContext('2d');
        if (context) context.fillStyle = 'red';
        context?.fillRect(0, 0, side, side);
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
        const data = new DataTransfer();
        data.items.add(new File([blob ?? ''], name, { type: 'image/png' }));
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      },
      { name, side },
    );

  it('sends a pasted picture as a part of the question, from an asset that the chat names', async () => {
    await pastePicture('red.png', 3000);
    await chips().getByText('red.png').waitFor();
    // What it shows is seen, here and on the question.
    const drawn = (place: Locator) =>
      expect.poll(() => place.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await drawn(chips().filter({ hasText: 'red.png' }));
    app.model.push({ text: 'Red.' }, { text: 'Still red.' });
    await panel.send('Which colour?');
    await panel.settled();
    const parts = app.model.requests.at(-1)?.messages.at(-1)?.content as unknown as {
      type: string;
      text?: string;
      image_url?: { url: string };
    }[];
    expect(parts.map(({ type }) => type)).toEqual(['text', 'image_url']);
    expect(parts[0]?.text).toMatch(/link="!\[red\.png\]\(assets\/red-[\w-]+\.png\)"><\/attached-note>\n\nWhich colour\?$/u);
    const side = await app.page.evaluate(
      async (url) => (await createImageBitmap(await (await fetch(url)).blob())).width,
      parts[1]?.image_url?.url ?? '',
    );
    expect(side).toBe(2048);
    await panel.region.locator('article[data-role="user"]').getByText('red.png').waitFor();
    await drawn(panel.region.locator('article[data-role="user"]').filter({ hasText: 'red.png' }));
    // The next question carries it again; the chat's file has its path alone.
    await panel.send('Sure?');
    await panel.settled();
    expect(sent()).toContain('data:image/png;base64,');
    const folder = '/data/storage/petal/siyuan-marginalia/sessions';
    const data = await app.kernel<{ name: string }[]>('/api/file/readDir', { path: folder });
    const chats = await Promise.all(
      data
        .filter(({ name }) => !name.startsWith('index'))
        .map(({ name }) => readFile(join(app.workspace, 'data/storage/petal/siyuan-marginalia/sessions', name), 'utf8')),
    );
    const chat = chats.find((text) => text.includes('red.png')) ?? '';
    expect(chat).not.toContain('base64');
    const [asset = ''] = /assets\/red-[\w-]+\.png/.exec(chat) ?? [];
    expect(existsSync(join(app.workspace, 'data', asset))).toBe(true);
  });

  it('says of a model that takes no pictures what to do', async () => {
    await pastePicture('blind.png', 8);
    await chips().getByText('blind.png').waitFor();
    app.model.push({
      status: 400,
      body: JSON.stringify({ error: { message: 'Invalid content type. image_url is only supported by certain models.' } }),
    });
    await panel.send('What is it?');
    await panel.settled('error');
    await expect.poll(() => panel.answer.innerText()).toContain('This model cannot read images.');
  });

  it('keeps what is attached over a reload, files chosen in the dialog and a PDF by its text', async () => {
    const chooser = app.page.waitForEvent('filechooser');
    await panel.region.getByRole('button', { name: 'Attach files' }).click();
    await (await chooser).setFiles([
      { name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from('Launch in May') },
      { name: 'lamp.pdf', mimeType: 'application/pdf', buffer: pdfOfText('The lamp of Pharos') },
    ]);
    await chips().getByText('lamp.pdf').waitFor();
    await panel.message.fill('About these:');
    await app.reload();
    await whenReady(app.page);
    await panel.open();
    await chips().getByText('lamp.pdf').waitFor();
    await expect.poll(() => panel.message.inputValue()).toBe('About these:');
    app.model.push({ text: 'Both.' });
    await panel.region.getByRole('button', { name: 'Send' }).click();
    await panel.answer.getByText('Both.').waitFor();
    expect(sent()).toMatch(/title=\\"plan\.md\\" link=\\"\[plan\.md\]\(assets\/plan-[^)]+\.md\)\\">\\nLaunch in May/);
    expect(sent()).toContain('The lamp of Pharos');
  });

  /** Behind what is in the composer. */
  const goOn = async (text: string): Promise<void> => {
    await panel.message.press('Control+End');
    await panel.message.pressSequentially(text);
    await panel.region.getByRole('button', { name: 'Send' }).click();
  };
  const mention = async (words: string, place = ''): Promise<void> => {
    await panel.message.pressSequentially(`@${words}`);
    await options().filter({ hasText: words }).filter({ hasText: place }).first().click();
    await marks().filter({ hasText: words }).last().waitFor();
  };

  it('leaves mentions in the sentence, where they lead to their notes', async () => {
    const travel = await notes.create('Research', 'Voyages', 'Pack light.');
    await notes.create('Research', 'Monsoons', 'Rain in July.');
    await notes.create('Life', 'Monsoons', 'Buy an umbrella.');
    await panel.message.pressSequentially('Compare ');
    await mention('Voyages');
    await panel.message.pressSequentially('with ');
    await mention('Monsoons', 'Research');
    await panel.message.pressSequentially('and ');
    await mention('Monsoons', 'Life');
    await expect.poll(() => panel.message.inputValue()).toBe('Compare @Voyages with @Monsoons and @Monsoons (Life) ');
    await expect.poll(() => marks().allInnerTexts()).toEqual(['@Voyages', '@Monsoons', '@Monsoons (Life)']);
    // The ground lies under its words: the same lines at the same width.
    const heights = (): Promise<number> =>
      panel.message.evaluate((field: HTMLTextAreaElement) => {
        const marks = field.parentElement?.querySelector('.mg-marks');
        return Math.abs((marks?.scrollHeight ?? 0) - field.scrollHeight);
      });
    await expect.poll(heights).toBeLessThan(3);
    // The text shows them; no chip does once more.
    expect(await chips().count()).toBe(0);
    // One key deletes it whole, its note goes along, and Undo in the field brings both back.
    await panel.message.press('Backspace');
    await panel.message.press('Backspace');
    await expect.poll(() => panel.message.inputValue()).toBe('Compare @Voyages with @Monsoons and ');
    await panel.message.press('ControlOrMeta+z');
    await expect.poll(() => panel.message.inputValue()).toContain('@Monsoons (Life)');
    await expect.poll(() => marks().count()).toBe(3);
    await panel.message.fill('Compare @Voyages with Monsoons and @Monsoons (Life)');
    await expect.poll(() => marks().allInnerTexts()).toEqual(['@Voyages', '@Monsoons (Life)']);
    app.model.push({ text: 'Rain and luggage.' });
    await goOn(' for me');
    await panel.answer.getByText('Rain and luggage.').waitFor();
    expect(sent()).toContain('Compare @Voyages with Monsoons and @Monsoons (Life) for me');
    expect(sent()).toContain('mention=\\"@Monsoons (Life)\\"');
    expect(sent()).not.toContain('Rain in July');
    const asked = panel.region.locator('article[data-role="user"]').last();
    await expect
      .poll(() => asked.locator('.mg-question__text').innerText())
      .toBe('Compare @Voyages with Monsoons and @Monsoons (Life) for me');
    await expect.poll(() => asked.locator('.mg-mention').allInnerTexts()).toEqual(['@Voyages', '@Monsoons (Life)']);
    await asked.locator('.mg-mention').first().click();
    await app.page.locator(`.protyle:not(.fn__none) [data-node-id="${travel.blocks[0]}"]`).first().waitFor();
  });

  it('finds notes by "@", not what may not be read; what is guarded later leaves no text in the next request', async () => {
    const open = await notes.create('Research', 'Quasars', 'A quasar outshines its galaxy.');
    const hidden = await notes.create('Research', 'Quasars hidden', 'A quasar that nobody sees.');
    await app.kernel('/api/attr/setBlockAttrs', { id: hidden.id, attrs: { 'custom-ai-access': 'none' } });
    await panel.message.pressSequentially('What is @Quasar');
    await options().filter({ hasText: 'Quasars' }).first().waitFor();
    expect((await options().allInnerTexts()).join()).not.toContain('hidden');
    await panel.message.press('Enter');
    await marks().getByText('Quasars').waitFor();
    app.model.push({ text: 'A bright core.' }, { text: 'I do not know.' });
    await panel.message.pressSequentially('it?');
    await panel.region.getByRole('button', { name: 'Send' }).click();
    await panel.answer.getByText('A bright core.').waitFor();
    expect(sent()).toContain('outshines its galaxy');
    await panel.region.getByRole('button', { name: 'Send' }).waitFor();
    await app.kernel('/api/attr/setBlockAttrs', { id: open.id, attrs: { 'custom-ai-access': 'none' } });
    await panel.send('And now?');
    await panel.answer.getByText('I do not know.').waitFor();
    expect(sent()).not.toContain('outshines');
  });

  it('attaches a tag as a list of its notes; one of them guarded takes the list out', async () => {
    const one = await notes.create('Research', 'Pulsar log', 'Seen at noon. #pulsarwatch#');
    await notes.create('Life', 'Pulsar diary', 'A quiet night. #pulsarwatch#');
    await app.kernel('/api/sqlite/flushTransaction', {});
    // A tag by its sign is the first of the list.
    await panel.message.pressSequentially('@#pulsarwatch');
    await options()
      .first()
      .filter({ hasText: /^pulsarwatch/ })
      .click();
    await marks().getByText('pulsarwatch').waitFor();
    await app.kernel('/api/attr/setBlockAttrs', { id: one.id, attrs: { 'custom-ai-access': 'none' } });
    app.model.push({ text: 'Nothing.' });
    await goOn('Which notes are these?');
    await panel.answer.getByText('Nothing.').waitFor();
    expect(sent()).not.toContain('Pulsar log');
    expect(sent()).toContain('attached-note');
  });

  it('attaches what a saved search finds, by words and by a pattern; one of its notes guarded takes the list out', async () => {
    const one = await notes.create('Research', 'Comet log', 'A comet with two tails.');
    await notes.create('Life', 'Comet diary', 'No comet that night.');
    const search = (name: string, method: number, k: string): Promise<unknown> =>
      app.kernel('/api/storage/setCriterion', { criterion: { name, method, k, idPath: [], types: null } });
    await search('Comets seen', 0, 'comet');
    await search('Comets by pattern', 3, 'comet with (two|three)');
    await app.kernel('/api/sqlite/flushTransaction', {});
    const attach = async (name: string): Promise<void> => {
      await panel.message.pressSequentially('@Comets');
      await options().filter({ hasText: name }).last().click();
      await marks().getByText(name).waitFor();
    };
    await attach('Comets by pattern');
    await attach('Comets seen');
    app.model.push({ text: 'Two.' }, { text: 'Nothing.' });
    await goOn('Which notes are these?');
    await panel.answer.getByText('Two.').waitFor();
    expect(sent()).toMatch(/A comet with two tails\. \(\d{14}-\w{7}\): \/Comet log/);
    expect(sent()).toMatch(/Results of the saved search Comets seen \(4\):\\n- (?:[^<]*\\n- )?Comet diary \(/);
    await app.kernel('/api/attr/setBlockAttrs', { id: one.id, attrs: { 'custom-ai-access': 'none' } });
    await panel.send('And now?');
    await panel.settled();
    expect(sent()).not.toContain('two tails');
    expect(sent()).not.toContain('Comet log');
  });

  it('takes blocks and documents that are dragged into it', async () => {
    const note = await notes.create('Research', 'Nebulae', 'First paragraph.\n\nA nebula of gas.');
    const type = `application/siyuan-gutternodeparagraph\u200b\u200b${note.blocks[1]}\u200b/space`;
    const drag = (event: string): Promise<void> =>
      panel.region.evaluate(
        (element, { event, type }) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.setData(type, '');
          element.dispatchEvent(new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }));
        },
        { event, type },
      );
    await drag('dragover');
    await panel.region.getByText('Drop here to attach').waitFor();
    await drag('drop');
    await chips().getByText('A nebula of gas.').waitFor();
    app.model.push({ text: 'Gas.' });
    await panel.send('What is it made of?');
    await panel.settled();
    expect(sent()).toContain('A nebula of gas.');
    expect(sent()).not.toContain('First paragraph');
  });

  it('shows that the open note is mentioned, and a prompt that is about it attaches its text', async () => {
    const note = await notes.create('Research', 'Magnetars', 'A magnetar has a strong field.');
    await notes.open(note);
    await panel.open();
    await panel.message.focus();
    await panel.region.getByRole('button', { name: 'Don’t mention Magnetars' }).waitFor();
    await panel.message.pressSequentially('/summ');
    await options().first().waitFor();
    await panel.message.press('Enter');
    await expect.poll(() => panel.message.inputValue()).toContain('Summarize “Magnetars” in a few points');
    await panel.message.fill('');
    await panel.message.pressSequentially('/when');
    await options().filter({ hasText: 'When' }).waitFor();
    await panel.message.press('Enter');
    await expect.poll(() => panel.message.inputValue()).toMatch(/^When was “Magnetars” made, …\? \d{4}-\d\d-\d\d$/);
    app.model.push({ text: 'A strong field.' });
    await panel.region.getByRole('button', { name: 'Send' }).click();
    await panel.answer.getByText('A strong field.').waitFor();
    expect(sent()).toContain('A magnetar has a strong field.');
    expect(app.foreignRequests).toEqual([]);
  });
});
