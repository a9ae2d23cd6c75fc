import { apiKeys } from './api-keys.ts';
import { blacklist } from './blacklist-entries.ts';
import { instances } from './llm-providers.ts';
import { platformSettings } from './platform-settings.ts';
import { priceOverrides } from './price-overrides.ts';
import { providerRefusals } from './provider-refusals.ts';
import { endedSessions } from './sessions.ts';
import { assignments } from './task-assignments.ts';
import { tasks } from './tasks.ts';
import { teamMembers } from './team-members.ts';
import { teamGrants } from './team-provider-access.ts';
import { teams } from './teams.ts';
import { tenants } from './tenants.ts';
import { grants } from './user-provider-access.ts';
import { users } from './users.ts';

/** All tables the gateway keeps in memory, by their name in the snapshot; read at startup in this order. */
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
};
