// What features serve, with its descriptions; what its routes do is not asked here.
import { SERVER_ROUTES } from '../../src/features/mcp-client/service/described-servers.ts';
import { serverRoutes } from '../../src/features/mcp-client/service/server-routes.ts';
import { ORDER_ROUTES } from '../../src/features/orders/service/described-orders.ts';
import { orderRoutes } from '../../src/features/orders/service/order-routes.ts';
import { programRoutes } from '../../src/features/programs/service/mcp-routes.ts';
import { describedRoutes } from '../../src/service/http/described-routes.ts';
import type { ServedFeature } from '../../src/service/http/served-feature.ts';

export const SERVED: readonly ServedFeature[] = [
  programRoutes({} as Parameters<typeof programRoutes>[0], () => false),
  { path: '/api/orders', routes: orderRoutes({} as Parameters<typeof orderRoutes>[0]), described: ORDER_ROUTES },
  { path: '/api/servers', routes: serverRoutes({} as Parameters<typeof serverRoutes>[0]), described: SERVER_ROUTES },
];

export const ROUTES = describedRoutes(SERVED);
