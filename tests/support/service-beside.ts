import { type ServiceOptions, startService } from '../../src/service/service.ts';
import type { TestApp } from './app.ts';

/** Starts the service over the workspace of a test app, on any free port, for those who have the token. */
export const startServiceBeside = (
  { host, model }: Pick<TestApp, 'host' | 'model'>,
  given: Pick<ServiceOptions, 'data' | 'token'> & Partial<ServiceOptions>,
) =>
  startService({
    ...{ kernel: host.url.replace(/\/$/, ''), kernelToken: process.env.SIYUAN_TOKEN },
    ...{ hosts: [], origins: [], port: 0, host: '127.0.0.1', log: () => undefined },
    model: { baseURL: model.baseURL, apiKey: '', model: 'scripted' },
    ...given,
  });
