import type { domainsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import { addDomain, confirmDomain, listDomains, removeDomain } from './change.ts';

export function createDomainsHandlers(): Handlers<typeof domainsRoutes> {
  return {
    listDomains: read(listDomains),
    addDomain: write(addDomain, ({ body }) => body.name),
    confirmDomain: write(confirmDomain, ({ params }) => params.id),
    removeDomain: write(removeDomain, ({ params }) => params.id),
  };
}
