// Models for pictures and speech in the built plugin, over a server that is as strict as OpenAI's.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type MediaServer, pngPicture, startMediaServer, wavTone } from '../../src/model/testing/media-server.ts';
import { realKernelUrl } from '../host/real-kernel.ts';
import { type AppFactory, type AppOptions, chromiumPath, createAppFactory, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const KEY = 'sk-test-1234567890';
/** A microphone that beeps, and nobody to ask. */
const MICROPHONE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

interface Opened {
  readonly app: TestApp;
  readonly panel: PanelDriver;
  readonly assets: () => readonly string[];
}

describe.skipIf(!chromiumPath)('models for pictures and speech', () => {
  let media: MediaServer;
  let factory: AppFactory;
  const running = new Map<string, Opened>();

  async function closeAll(): Promise<void> {
    for (const { app } of running.values()) await app.close();
    running.clear();
  }

  /** A new chat of an app with these settings: the one that a test before opened, if there is one. */
  async function open(model: string, options: AppOptions = {}): Promise<Opened> {
    const key = JSON.stringify([model, options]);
    const known = running.get(key);
    if (known) {
      await known.panel.newChat();
      return known;
    }
    // A real SiYuan has one workspace: what an app before had in it is gone.
    if (realKernelUrl !== undefined) await closeAll();
    const settings = { model: { source: 'custom', baseURL: media.baseURL, apiKey: KEY, model }, ...options.settings };
    const app = await factory.open({ ...options, settings });
    const panel = drive(app.page);
    const made = { app, panel, assets: () => readdirSync(join(app.workspace, 'data', 'assets')) };
    running.set(key, made);
    await panel.open();
    return made;
  }

  async function attach({ app, panel }: Opened, name: string, mimeType: string, bytes: Uint8Array): Promise<void> {
    const chooser = app.page.waitForEvent('filechooser');
    await panel.region.getByRole('button', { name: 'Attach files' }).click();
    await (await chooser).setFiles({ name, mimeType, buffer: Buffer.from(bytes) });
    await panel.region.getByText(name).waitFor();
  }

  beforeAll(async () => {
    [media, factory] = await Promise.all([startMediaServer({ apiKey: KEY }), createAppFactory(MICROPHONE)]);
  }, 120_000);
  afterAll(async () => {
    await closeAll();
    await factory?.close();
    await media?.close();
  });
  beforeEach(() => void media.requests.splice(0));

  it('make a picture: an asset of the workspace, shown in the answer, large at a click, and put into a note', async () => {
    const { app, panel, assets } = await open('gpt-image-1');
    const { page } = app;
    await panel.send('A white roof at noon');
    await panel.settled();
    expect(media.requests.map(({ path, fields }) => [path, fields])).toEqual([
      ['/images/generations', { model: 'gpt-image-1', prompt: 'A white roof at noon' }],
    ]);
    const [name = ''] = assets().filter((each) => each.startsWith('A-white-roof-at-noon'));
    const picture = panel.answer.getByRole('button', { name: 'A white roof at noon' });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);

    await picture.press('Enter');
    const large = page.getByRole('dialog', { name: 'A white roof at noon' });
    await large.waitFor();
    await page.keyboard.press('Escape');
    await large.waitFor({ state: 'hidden' });
    await expect.poll(() => picture.evaluate((image) => image === document.activeElement)).toBe(true);

    await panel.answer.getByRole('button', { name: 'More actions for this message' }).click();
    await page.getByRole('menuitem', { name: 'Append to another note…' }).click();
    await panel.region.getByRole('listitem').getByRole('button').first().click();
    await panel.answer.getByRole('button', { name: 'Undo' }).waitFor();
    // SiYuan's index comes a moment later.
    const stmt = `SELECT markdown FROM blocks WHERE type = 'p' AND markdown LIKE '%${name}%'`;
    await expect.poll(() => app.kernel('/api/query/sql', { stmt })).toEqual([{ markdown: `![A white roof at noon](assets/${name})` }]);
  });

  it('speak: the recording is an asset, and plays in the answer', async () => {
    const { panel, assets } = await open('gpt-4o-mini-tts', { theme: 'dark' });
    await panel.send('Good morning, roof.');
    await panel.settled();
    expect(media.requests.map(({ path, fields }) => [path, fields.input])).toEqual([['/audio/speech', 'Good morning, roof.']]);
    expect(assets().filter((name) => /^Good-morning-roof.*\.mp3$/.test(name))).toHaveLength(1);
    const player = panel.answer.locator('audio');
    await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.duration)).toBeGreaterThan(0.5);
    await player.evaluate((audio: HTMLAudioElement) => audio.play());
    await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.currentTime)).toBeGreaterThan(0);
    expect(await panel.answer.getByText('Answered without your notes').count()).toBe(0);
  });

  it('that refuse say why on the answer, without the key, and Retry makes it', async () => {
    const { panel } = await open('dall-e-3');
    media.push({ status: 401, body: JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}.` } }) });
    await panel.send('A red roof');
    await panel.settled('error');
    await expect.poll(() => panel.answer.innerText()).toContain('The provider does not accept the key.');
    expect(await panel.answer.innerHTML()).not.toContain(KEY);
    await panel.answer.getByRole('button', { name: 'Retry' }).click();
    await panel.answer.getByRole('button', { name: 'A red roof' }).waitFor();
  });

  it('are stopped in the middle: nothing is saved', async () => {
    const { panel, assets } = await open('gpt-image-1');
    let release = (): void => undefined;
    media.push({ hold: new Promise((resolve) => (release = () => resolve())) });
    const before = assets().length;
    await panel.send('A slow roof');
    await panel.answer.getByText('Generating the image…').waitFor();
    await panel.region.getByRole('button', { name: 'Stop' }).click();
    await panel.settled('stopped');
    release();
    expect(assets()).toHaveLength(before);
  });

  it('change a picture that is attached', async () => {
    const opened = await open('gpt-image-1');
    const { panel, assets } = opened;
    await attach(opened, 'house.png', 'image/png', pngPicture(7));
    await panel.send('Make the roof white');
    await panel.settled();
    const [request] = media.requests;
    expect(request?.path).toBe('/images/edits');
    expect(request?.fields).toEqual({ model: 'gpt-image-1', prompt: 'Make the roof white' });
    expect(request?.files.map(({ field, name, type }) => [field, name, type])).toEqual([['image', 'house.png', 'image/png']]);
    expect(Buffer.from(request?.files[0]?.bytes ?? []).equals(Buffer.from(pngPicture(7)))).toBe(true);
    await panel.answer.getByRole('button', { name: 'Make the roof white' }).waitFor();
    expect(assets().filter((name) => name.startsWith('Make-the-roof-white'))).toHaveLength(1);
  });

  it('write down a recording that is attached, without a word beside it', async () => {
    const opened = await open('whisper-1');
    const { panel } = opened;
    await attach(opened, 'meeting.wav', 'audio/wav', wavTone());
    await panel.send('');
    await panel.settled();
    expect(media.requests.map(({ path, fields, files }) => [path, fields.model, files[0]?.name])).toEqual([
      ['/audio/transcriptions', 'whisper-1', 'meeting.wav'],
    ]);
    await expect.poll(() => panel.answer.innerText()).toContain('Buy white paint for the roof.');
    expect(await panel.answer.getByText('Answered without your notes').count()).toBe(0);
  });

  it('are asked for nothing where the question does not fit: it stays in the composer, and a notice says why', async () => {
    const { panel } = await open('whisper-1');
    await panel.send('Write this down');
    await panel.region.getByText('There is no recording to transcribe.').waitFor();
    await expect.poll(() => panel.message.inputValue()).toBe('Write this down');
    expect(media.requests).toEqual([]);
  });

  const speech = {
    speechToText: { providerId: 'custom', model: 'gpt-4o-transcribe' },
    textToSpeech: { providerId: 'custom', model: 'gpt-4o-mini-tts', voice: 'nova' },
  };

  it('write down what is spoken into the composer; a failure keeps the recording, a cancel drops it', async () => {
    const { app, panel } = await open('gpt-4o-mini', { settings: { models: speech } });
    const { page } = app;
    const button = (name: string) => panel.region.getByRole('button', { name, exact: true });
    await panel.message.fill('Today:');
    await button('Dictate').click();
    await panel.region
      .getByRole('timer')
      .getByText(/0:0[1-9]/)
      .waitFor();
    await button('Discard the recording').click();
    expect(media.requests).toEqual([]);

    media.push({ status: 500, body: '{"error":{"message":"overloaded"}}' });
    await button('Dictate').click();
    await panel.region
      .getByRole('timer')
      .getByText(/0:0[1-9]/)
      .waitFor();
    await button('Stop and transcribe').click();
    await panel.region.getByText('The recording was kept.').waitFor();
    await button('Transcribe again').click();
    await expect.poll(() => panel.message.inputValue()).toBe('Today: Buy white paint for the roof.');
    await button('Dictate').waitFor();
    const [failed, written] = media.requests;
    expect(written?.path).toBe('/audio/transcriptions');
    expect(written?.fields.model).toBe('gpt-4o-transcribe');
    expect(written?.files.map(({ name }) => name)).toEqual(['recording.webm']);
    expect(written?.files[0]?.bytes.length).toBeGreaterThan(1000);
    expect(written?.files[0]?.bytes.length).toBe(failed?.files[0]?.bytes.length);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Message');
  });

  it('end a recording that is as large as services take, say so, and write it down', async () => {
    const init = `
      MediaRecorder.prototype.start = function () {
        Object.defineProperty(this, 'state', { value: 'recording' });
        const data = new Blob([new Uint8Array(25 * 1024 * 1024 - 1000)], { type: 'audio/webm' });
        setTimeout(() => this.dispatchEvent(Object.assign(new Event('dataavailable'), { data })));
      };
      MediaRecorder.prototype.stop = function () { this.dispatchEvent(new Event('stop')); };`;
    const { panel } = await open('gpt-4o-mini', { settings: { models: speech }, init });
    await panel.region.getByRole('button', { name: 'Dictate' }).click();
    await panel.region.getByText(/stopped at 25 MB/).waitFor();
    await expect.poll(() => panel.message.inputValue()).toBe('Buy white paint for the roof.');
    expect(media.requests.map(({ files }) => files[0]?.bytes.length)).toEqual([25 * 1024 * 1024 - 1000]);
  });

  it('say why there is no microphone over plain http', async () => {
    const init = 'Object.defineProperty(Navigator.prototype, "mediaDevices", { get: () => undefined })';
    const { panel } = await open('gpt-4o-mini', { settings: { models: speech }, init });
    await panel.region.getByRole('button', { name: 'Dictate' }).click();
    await panel.region.getByText(/only on https pages and on this computer/).waitFor();
  });

  it('let go of a microphone that cannot be recorded, and say so', async () => {
    const init = `
      // The empty page before has none.
      const ask = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices);
      if (ask) navigator.mediaDevices.getUserMedia = async (wanted) => (window.given = await ask(wanted));
      window.MediaRecorder = class { constructor() { throw new Error('no such format'); } };`;
    const { app, panel } = await open('gpt-4o-mini', { settings: { models: speech }, init });
    await panel.region.getByRole('button', { name: 'Dictate' }).click();
    await panel.region.getByText('The microphone cannot be used.').waitFor();
    await expect
      .poll(() => app.page.evaluate(() => (Reflect.get(window, 'given') as MediaStream).getTracks().map((track) => track.readyState)))
      .toEqual(['ended']);
    await panel.region.getByRole('button', { name: 'Dictate' }).waitFor();
  });

  it('read an answer aloud: paused, gone on with, kept as an asset, stopped', async () => {
    const { app, panel, assets } = await open('gpt-4o-mini', { settings: { models: speech } });
    const { answer } = media;
    onTestFinished(() => {
      media.answer = answer;
    });
    media.answer =
      "Roofs are **white**: see [the log](https://a.example/b?c=1), https://www.heat.example/x?y=1, ((20260412093000-heat000 'Urban heat')).\n\n```js\ncool(20)\n```";
    await panel.send('What colour?');
    await panel.settled();
    await panel.answer.getByRole('button', { name: 'Read aloud' }).click();
    // Another word of the chat does not end it.
    await panel.answer.getByRole('button', { name: 'Pause' }).waitFor();
    await panel.answer.getByRole('button', { name: 'More actions for this message' }).click();
    await app.page.getByRole('menuitem', { name: 'Pin' }).click();
    await panel.answer.getByRole('button', { name: 'Pause' }).click();
    const spoken = media.requests.find(({ path }) => path === '/audio/speech');
    expect(spoken?.fields).toMatchObject({
      input: 'Roofs are white: see the log, heat.example, Urban heat.\n\n(code)',
      voice: 'nova',
      model: 'gpt-4o-mini-tts',
    });
    await panel.answer.getByRole('button', { name: 'Save to the workspace' }).click();
    await panel.region.getByText(/^Saved as assets\/speech/).waitFor();
    expect(assets().filter((name) => name.startsWith('speech'))).toHaveLength(1);
    await panel.answer.getByRole('button', { name: 'Resume' }).click();
    await panel.answer.getByRole('button', { name: 'Stop reading' }).click();
    await panel.answer.getByRole('button', { name: 'Read aloud' }).waitFor();
  });

  it('are no part of the panel where none is set for speech, until one is set there', async () => {
    const { panel } = await open('gpt-4o-mini');
    await panel.send('What colour?');
    await panel.settled();
    expect(await panel.region.getByRole('button', { name: /Dictate|Read aloud/ }).count()).toBe(0);
    await panel.openSettings('Speech');
    const fields = panel.region.getByRole('region', { name: 'Speech' });
    await fields.getByLabel('Read aloud').selectOption({ label: new URL(media.baseURL).host });
    await fields.getByLabel('Model name').fill('gpt-4o-mini-tts');
    await fields.getByLabel('Voice').fill('coral');
    await fields.getByLabel('Voice').blur();
    await panel.region.getByRole('button', { name: 'Back' }).click();
    await panel.answer.getByRole('button', { name: 'Read aloud' }).click();
    await panel.answer.getByRole('button', { name: 'Pause' }).waitFor();
    expect(media.requests.at(-1)?.fields).toMatchObject({ model: 'gpt-4o-mini-tts', voice: 'coral' });
  });
});
