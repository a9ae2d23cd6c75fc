import { budgets } from './budgets.ts';
import { apiKeys, endedSessions, teamMembers, teams, users } from './callers.ts';
import { blacklist, instances, priceOverrides } from './llm-providers.ts';
import { grants, teamGrants } from './provider-access.ts';
import { providerRefusals } from './provider-refusals.ts';
import { assignments, tasks } from './tasks.ts';
import { platformSettings, tenants } from './tenants.ts';

/** The tables are read at startup in this order. */
export const mirroredTables = {
  tenants,
  users,
  apiKeys,
  endedSessions,
  instances,
  providerRefusals,
  grants,
  teams,
  teamMembers,
  teamGrants,
  blacklist,
  tasks,
  assignments,
  priceOverrides,
  platformSettings,
  budgets,
};
