import { join } from 'node:path';
import { type FailureRules, Failures } from './kernel/http/failures.ts';
import { type InProcessFetch, inProcessFetch } from './kernel/http/in-process.ts';
import { HostServer, type Service } from './kernel/http/server.ts';
import { Kernel, type SiYuanVersion } from './kernel/kernel.ts';
import { joinRoutes, type RouteTable } from './kernel/router.ts';
import { kernelRoutes } from './kernel/routes.ts';
import { assetFolders } from './kernel/store/asset-folders.ts';

export interface HostOptions {
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** Folder of the workspace; made when it is not there. */
  readonly workspace: string;
  /** Asked of every request when it is set. */
  readonly token?: string;
  /** As SiYuan's access code (`Locks`). */
  readonly accessCode?: string;
  readonly readOnly?: boolean;
  /** How long writes take to reach SQL, in milliseconds (default 200). */
  readonly indexDelayMs?: number;
  /** The index of what the workspace holds now (`SearchIndex.saved`), so that its documents are not indexed again. */
  readonly savedIndex?: Uint8Array | undefined;
  /** A folder whose subfolders are installed as plugins, besides `<workspace>/data/plugins`. */
  readonly plugins?: string;
  readonly extraRoutes?: RouteTable;
  /** `ai` of the configuration that plugins read (src/model/providers.ts reads it). */
  readonly ai?: Readonly<Record<string, unknown>>;
  /** The SiYuan that it answers as (default 3.7.3). */
  readonly as?: SiYuanVersion;
  /** As builds of some shops, in which SiYuan's AI is switched off. */
  readonly aiOff?: boolean;
  /** Prefix → a service that answers by itself, such as the offline model under `/v1/`. */
  readonly services?: Readonly<Record<string, Service>>;
  /** Folder of the page at `/`. */
  readonly shellDir?: string;
  readonly failures?: FailureRules;
}

export interface RunningHost {
  readonly url: string;
  readonly port: number;
  readonly kernel: Kernel;
  /** Faults by path, for tests. */
  readonly failures: Failures;
  /** `fetch`, without the network where it can do without (in-process.ts). */
  readonly fetch: InProcessFetch;
  /** The kernel is gone: open connections are reset, new ones refused. */
  pause(): Promise<void>;
  /** It is back, on the same port. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a kernel over a workspace. Throws when the port is taken or the workspace cannot be read. */
export async function startHost(options: HostOptions): Promise<RunningHost> {
  const kernel = new Kernel(options);
  const failures = new Failures(options.failures);
  const routes = joinRoutes(...kernelRoutes, options.extraRoutes ?? {});
  const { token, accessCode } = options;
  const server = new HostServer({
    kernel,
    failures,
    routes,
    locks: { token, accessCode },
    services: options.services ?? {},
    folders: {
      '/plugins/': kernel.pluginFolders,
      '/assets/': (query) => assetFolders(kernel, query.get('box')).map((folder) => join(folder, 'assets')),
      '/emojis/': [join(kernel.dataFolder, 'emojis')],
      ...(options.shellDir !== undefined && { '/': [options.shellDir] }),
    },
  });
  try {
    await server.listen(options.port ?? 0);
  } catch (error) {
    kernel.close();
    throw error;
  }
  const port = server.boundPort;
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    kernel,
    failures,
    fetch: inProcessFetch({ kernel, routes, failures, isLocked: Boolean(token || accessCode), listening: () => server.listening }),
    pause: () => server.stop(),
    resume: () => server.listen(port),
    close: async () => {
      await server.stop();
      kernel.close();
    },
  };
}
