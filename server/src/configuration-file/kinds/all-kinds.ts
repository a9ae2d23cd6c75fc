import { blacklistEntry, teamGrant, userGrant } from './access.ts';
import { serviceAccount, team, teamMember, user } from './accounts.ts';
import { budget, defaultBudget } from './budgets.ts';
import { identityProvider } from './identity-providers.ts';
import { type Kind, type KindName, kindNames } from './kind.ts';
import { domain, settings, signInPolicy, tenant } from './organization.ts';
import { fallbackOrder, price, provider } from './providers.ts';
import { apiAccessTask, task, taskAssignment } from './tasks.ts';

const kindsByName: Readonly<Record<KindName, Kind>> = {
  tenant,
  settings,
  domain,
  team,
  user,
  service_account: serviceAccount,
  team_member: teamMember,
  identity_provider: identityProvider,
  sign_in_policy: signInPolicy,
  provider,
  price,
  fallback_order: fallbackOrder,
  user_grant: userGrant,
  team_grant: teamGrant,
  blacklist_entry: blacklistEntry,
  task,
  task_assignment: taskAssignment,
  api_access_task: apiAccessTask,
  budget,
  default_budget: defaultBudget,
};

export const allKinds: readonly Kind[] = kindNames.map((name) => kindsByName[name]);

export const kindOf = (name: KindName): Kind => kindsByName[name];

export const kindsWithin = (name: KindName): readonly Kind[] =>
  allKinds.filter(({ within }) => within?.kind === name);
