import { grantTeamAccessBody, grantUserAccessBody, type providerAccessRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { outside, read, write } from '#http/verbs.ts';
import { type ExplainAccessDeps, explainUserAccess } from './explain.ts';
import {
  grantEach,
  grantTeamAccess,
  grantUserAccess,
  removeTeamAccess,
  removeUserAccess,
  updateTeamAccess,
  updateUserAccess,
} from './grant.ts';
import { listPermittedModels, listPermittedUsers } from './list-permitted.ts';
import { listUserProviders } from './list-user-providers.ts';
import {
  getAccessSummary,
  listGrantableProviders,
  listGrantableTeams,
  listGrantableUsers,
  listTeamAccess,
  listUserAccess,
} from './read.ts';

export function createProviderAccessHandlers(deps: ExplainAccessDeps): Handlers<typeof providerAccessRoutes> {
  return {
    listUserAccess: read(listUserAccess, ({ query }) => query),
    grantUserAccess: write(grantUserAccess, ({ body }) => body),
    grantUserAccesses: outside('changes each item alone', (ctx, { body }) =>
      grantEach(body.accesses, grantUserAccessBody, (access) =>
        ctx.inTenant((tx) => grantUserAccess(tx, ctx.principal, access)),
      ),
    ),
    updateUserAccess: write(updateUserAccess, ({ params, body }) => ({
      place: params,
      models: body.allowed_models,
    })),
    removeUserAccess: write(removeUserAccess, ({ params }) => params),
    listUserProviders: read(listUserProviders, ({ params }) => params.userId),
    listTeamAccess: read(listTeamAccess, ({ query }) => query),
    grantTeamAccess: write(grantTeamAccess, ({ body }) => body),
    grantTeamAccesses: outside('changes each item alone', (ctx, { body }) =>
      grantEach(body.accesses, grantTeamAccessBody, (access) =>
        ctx.inTenant((tx) => grantTeamAccess(tx, ctx.principal, access)),
      ),
    ),
    updateTeamAccess: write(updateTeamAccess, ({ params, body }) => ({
      place: params,
      models: body.allowed_models,
    })),
    removeTeamAccess: write(removeTeamAccess, ({ params }) => params),
    listGrantableProviders: read(listGrantableProviders),
    listGrantableUsers: read(listGrantableUsers),
    listGrantableTeams: read(listGrantableTeams),
    getAccessSummary: read(getAccessSummary),
    listPermittedUsers: read(listPermittedUsers.bind(null, deps), ({ query }) => query.model),
    listPermittedModels: read(listPermittedModels.bind(null, deps), ({ params }) => params.userId),
    explainAccess: read(explainUserAccess.bind(null, deps), ({ query }) => query),
  };
}
