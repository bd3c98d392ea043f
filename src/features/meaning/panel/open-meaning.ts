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

interface OpenModel {
  readonly engine: MeaningEngine;
  readonly hash: string;
}

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
      if (hasModel && vectorsHere.get()) await this.start();
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

  private async start(): Promise<void> {
    const { client } = this.app.base;
    const model = this.running ? null : await createByteFiles(client, STORAGE_ROOT).readBytes(FILE);
    if (model) await this.run(await this.opened(model));
  }

  private async opened(model: Uint8Array<ArrayBuffer>): Promise<OpenModel> {
    const engine = engineOver(lazyWorker(async () => (await import('./start-meaning-worker.ts')).startMeaningWorker));
    try {
      return { engine, hash: await engine.open(model) };
    } catch (error) {
      engine.end();
      throw error;
    }
  }

  private async run({ engine, hash }: OpenModel): Promise<void> {
    const { base, host, policy } = this.app;
    const folder = `${FOLDER}/${hash}`;
    // Vectors of another model are of no use.
    for (const other of await base.cache.list(FOLDER)) if (other.name !== hash) await base.cache.remove(`${FOLDER}/${other.name}`);
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
          await this.keep(await this.fetched(address), MODEL.sha256);
        } finally {
          this.show({ fetched: undefined });
        }
      }),
    choose: (file) => this.attempt(() => this.keep(file)),
    turn: (on) =>
      this.attempt(async () => {
        vectorsHere.set(on);
        if (on) await this.start();
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
    const response = await fetch(address).catch(() => undefined);
    if (!response?.ok) throw new SaidError(this.app.t('meaning.device.notFetched'));
    return readAll(response, (fetched) => this.show({ fetched }));
  }

  /** `wanted`: its SHA-256, of a file that came from elsewhere. */
  private async keep(file: Blob, wanted?: string): Promise<void> {
    const { base, t } = this.app;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const model = await this.opened(bytes).catch((error: unknown) => {
      throw new SaidError(t(wanted ? 'meaning.device.otherFile' : 'meaning.device.badFile'), { cause: error });
    });
    if (wanted && model.hash !== wanted) {
      model.engine.end();
      throw new SaidError(t('meaning.device.otherFile'));
    }
    this.running?.stop();
    await createByteFiles(base.client, STORAGE_ROOT).writeBytes(FILE, file);
    vectorsHere.set(true);
    await this.run(model);
    this.show({ hasModel: true });
  }
}

/** Begins with what is there, if this device is to. */
export async function openMeaning(app: PanelEnvironment): Promise<MeaningPort> {
  const meaning = new PanelMeaning(app);
  await meaning.begin();
  return meaning.port;
}
