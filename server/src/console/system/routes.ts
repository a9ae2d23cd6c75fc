import { contract, describeOpenapi, type systemRoutes } from '@sluice/contract';
import { listBanners } from '#banners/banners.ts';
import { findSuspensionBanner } from '#banners/suspension-banner.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { Handlers } from '#http/console-route.ts';

export interface SystemDeps {
  /** Why this node takes no requests at the moment, `null` when it does. */
  readonly unreadiness: () => string | null;
  readonly version: string;
}

/** Probes for operators and the description of the interface. */
export function createSystemHandlers({ unreadiness, version }: SystemDeps): Handlers<typeof systemRoutes> {
  const openapi = describeOpenapi(contract, version);
  return {
    getHealth: async () => ({ status: 'ok' }),
    getReadiness: async () => {
      const reason = unreadiness();
      if (reason !== null) throw new ConsoleError(503, reason, 1);
      return { status: 'ready' };
    },
    getStatus: async ({ principal, inTenant }) => ({
      version,
      banners: await inTenant(async (tx) => [
        ...(await findSuspensionBanner(tx, principal.tenantId)),
        ...(await listBanners(tx, principal.role, principal.tenantId)),
      ]),
    }),
    getOpenapi: async () => openapi,
  };
}
