// The features of the service, one line each.
import { start as computer } from '../features/computer/service/computer.ts';
import { start as guests } from '../features/guests/service/guests.ts';
import { start as mcpClient } from '../features/mcp-client/service/other-servers.ts';
import { start as orders } from '../features/orders/service/service-orders.ts';
import { start as programs } from '../features/programs/service/programs.ts';
import { start as projects } from '../features/projects/service/projects.ts';
import { start as web } from '../features/web/service/web.ts';
import type { StartServiceFeature } from './service-feature.ts';

export const SERVICE_FEATURES: readonly StartServiceFeature[] = [
  guests, //
  computer,
  web,
  programs,
  projects,
  orders,
  mcpClient,
];
