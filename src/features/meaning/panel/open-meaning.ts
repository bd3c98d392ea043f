import { vectorsHere, vectorsPaused } from '../../../app/device-storage.ts';
import { pushSource } from '../../../app/host/open-host.ts';
import { whenIdle } from '../../../app/host-ui.ts';
import { SaidError } from '../../../app/in-words.ts';
import type { PanelEnvironment } from '../../../app/panel-environment.ts';
import { lazyWorker } from '../../../app/search/lazy-search-worker.ts';
import { createAccess } from '../../../host/access/access.ts';
import { createByteFiles } from '../../../host/kernel/byte-files.ts';
import { CACHE_ROOT, STORAGE_ROOT } from '../../../host/kernel/storage.ts';
import { toToolError } from '../../../tools/contract/errors.ts';
import { inBackground, Listeners } from '../../../tools/util/notify.ts';
import { callErrorLabel } from '../../../ui/labels/error-labels.ts';
import { DeviceIndex } from '../device-index.ts';
import { engineOver, type MeaningEngine } from '../meaning-calls.ts';
import type { MeaningPort, MeaningState } from '../meaning-port.ts';
import { MODEL } from '../model/source.ts';

/** The model, in the folder that is synced; the vectors, in the one that is not. */
const FOLDER = 'meaning';
const FILE = `${FOLDER}/model.whl`;
/** Milliseconds: somebody who types pauses that long. */
const PAUSE = 3000;

/** Reads a body, with the share of it that is there after each piece. */
async function readAll(response: Response, onShare: (share: number) => void): Promise<Blob> {
  const reader = response.body?.getReader();
  const pieces: BlobPart[] = [];
  let length = 0;
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return new Blob(pieces);
    pieces.push(piece.value);
    length += piece.value.length;
    onShare(Math.min(1, length / (MODEL.megabytes * 1e6)));
  }
}

const hexOf = (bytes: ArrayBuffer): string => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

class PanelMeaning {
  private readonly app: PanelEnvironment;
  private readonly listeners = new Listeners<[MeaningState]>();
  private running: { readonly index: DeviceIndex; readonly stop: () => void } | undefined;
  private state: MeaningState = { hasModel: undefined, isOn: vectorsHere.get(), fetched: undefined, index: undefined, problem: undefined };

  constructor(app: PanelEnvironment) {
    this.app = app;
    app.signal.addEventListener('abort', () => this.running?.stop());
  }

  async begin(): Promise<void> {
    await this.attempt(async () => {
      const hasModel = (await this.app.base.storage.list(FOLDER)).length > 0;
      this.show({ hasModel });
      if (hasModel && vectorsHere.get()) await this.start(undefined);
    });
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    let problem: string | undefined;
    try {
      await work();
    } catch (error) {
      problem = error instanceof SaidError ? error.message : callErrorLabel(toToolError(error), this.app.t);
    }
    this.show({ problem });
  }

  private show(change: Partial<MeaningState>): void {
    this.state = { ...this.state, ...change, isOn: vectorsHere.get(), index: this.running?.index.progress };
    this.listeners.call(this.state);
  }

  private async start(given: Uint8Array<ArrayBuffer> | undefined): Promise<void> {
    const { base, t } = this.app;
    const model = given ?? (await createByteFiles(base.client, STORAGE_ROOT).readBytes(FILE));
    if (this.running || !model) return;
    const engine = engineOver(lazyWorker(async () => (await import('./start-meaning-worker.ts')).startMeaningWorker));
    let name: string;
    try {
      name = await engine.open(model);
    } catch (error) {
      engine.end();
      throw given ? new SaidError(t('meaning.device.badFile')) : error;
    }
    // Vectors of another model are of no use.
    for (const other of await base.cache.list(FOLDER)) if (other.name !== name) await base.cache.remove(`${FOLDER}/${other.name}`);
    this.run(engine, `${FOLDER}/${name}`);
  }

  private run(engine: MeaningEngine, folder: string): void {
    const { base, host, policy } = this.app;
    const ending = new AbortController();
    const index = new DeviceIndex(
      {
        ...{ routes: base.routes, access: createAccess(base.routes, policy), engine, folder },
        ...{ pushes: pushSource(host), onRights: (listener) => policy.subscribe(listener) },
        files: { ...base.cache, ...createByteFiles(base.client, CACHE_ROOT) },
        // A page that is not seen has nothing to do, and is asked rarely.
        idle: () => (document.hidden ? Promise.resolve() : whenIdle()),
        later: (work) => void setTimeout(work, PAUSE),
        now: () => performance.now(),
        onChange: () => this.show({}),
        signal: ending.signal,
      },
      vectorsPaused.get(),
    );
    base.near.find = index.nearest;
    const stop = (): void => {
      base.near.find = undefined;
      ending.abort();
      engine.end();
      this.running = undefined;
    };
    this.running = { index, stop };
    inBackground(index.run());
    this.show({});
  }

  readonly port: MeaningPort = {
    watch: async (listener) => {
      listener(this.state);
      return this.listeners.add(listener);
    },
    fetch: (address) =>
      this.attempt(async () => {
        this.show({ fetched: 0, problem: undefined });
        try {
          await this.keep(await this.fetched(address));
        } finally {
          this.show({ fetched: undefined });
        }
      }),
    choose: (file) => this.attempt(() => this.keep(file)),
    turn: (on) =>
      this.attempt(async () => {
        vectorsHere.set(on);
        if (on) await this.start(undefined);
        else this.running?.stop();
      }),
    pause: async (isPaused) => {
      vectorsPaused.set(isPaused);
      this.running?.index.pause(isPaused);
    },
    remove: () =>
      this.attempt(async () => {
        const { storage, cache } = this.app.base;
        this.running?.stop();
        vectorsHere.set(false);
        await Promise.all([storage.remove(FOLDER), cache.remove(FOLDER)]);
        this.show({ hasModel: false });
      }),
  };

  private async fetched(address: string): Promise<Blob> {
    const { t } = this.app;
    const response = await fetch(address).catch(() => undefined);
    if (!response?.ok) throw new SaidError(t('meaning.device.notFetched'));
    const file = await readAll(response, (fetched) => this.show({ fetched }));
    // Without a secure page nothing can be compared; a file can still be chosen.
    const hash = await globalThis.crypto.subtle?.digest('SHA-256', await file.arrayBuffer());
    if (!hash || hexOf(hash) !== MODEL.sha256) throw new SaidError(t('meaning.device.otherFile'));
    return file;
  }

  private async keep(file: Blob): Promise<void> {
    this.running?.stop();
    await this.start(new Uint8Array(await file.arrayBuffer()));
    await createByteFiles(this.app.base.client, STORAGE_ROOT).writeBytes(FILE, file);
    vectorsHere.set(true);
    this.show({ hasModel: true });
  }
}

/** Begins with what is there, if this device is to. */
export async function openMeaning(app: PanelEnvironment): Promise<MeaningPort> {
  const meaning = new PanelMeaning(app);
  await meaning.begin();
  return meaning.port;
}
