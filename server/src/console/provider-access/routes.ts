import type { providerAccessRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { type ExplainAccessDeps, explainUserAccess } from './explain.ts';
import {
  grantTeamAccess,
  grantTeamAccesses,
  grantUserAccess,
  grantUserAccesses,
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
    listUserAccess: (ctx, { query }) => listUserAccess(ctx, query),
    grantUserAccess: (ctx, { body }) => grantUserAccess(ctx, body),
    grantUserAccesses: (ctx, { body }) => grantUserAccesses(ctx, body.accesses),
    updateUserAccess: (ctx, { params, body }) => updateUserAccess(ctx, params, body.allowed_models),
    removeUserAccess: (ctx, { params }) => removeUserAccess(ctx, params),
    listUserProviders: (ctx, { params }) => listUserProviders(ctx, params.userId),
    listTeamAccess: (ctx, { query }) => listTeamAccess(ctx, query),
    grantTeamAccess: (ctx, { body }) => grantTeamAccess(ctx, body),
    grantTeamAccesses: (ctx, { body }) => grantTeamAccesses(ctx, body.accesses),
    updateTeamAccess: (ctx, { params, body }) => updateTeamAccess(ctx, params, body.allowed_models),
    removeTeamAccess: (ctx, { params }) => removeTeamAccess(ctx, params),
    listGrantableProviders: (ctx) => listGrantableProviders(ctx),
    listGrantableUsers: (ctx) => listGrantableUsers(ctx),
    listGrantableTeams: (ctx) => listGrantableTeams(ctx),
    getAccessSummary: (ctx) => getAccessSummary(ctx),
    listPermittedUsers: (ctx, { query }) => listPermittedUsers(deps, ctx, query.model),
    listPermittedModels: (ctx, { params }) => listPermittedModels(deps, ctx, params.userId),
    explainAccess: (ctx, { query }) => explainUserAccess(deps, ctx, query),
  };
}
