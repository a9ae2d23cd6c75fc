import type { domainsRoutes } from '@sluice/contract';
import { createAcrossTenants } from '#console/across-tenants.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import { addDomain, confirmDomain, listDomains, removeDomain } from './change.ts';

export function createDomainsHandlers({
  system,
}: {
  readonly system: SystemDatabase;
}): Handlers<typeof domainsRoutes> {
  const acrossTenants = createAcrossTenants(system);
  return {
    listDomains: read(listDomains),
    addDomain: write(addDomain, ({ body }) => body.domain),
    confirmDomain: acrossTenants(confirmDomain, ({ params }) => params.id),
    removeDomain: write(removeDomain, ({ params }) => params.id),
  };
}
