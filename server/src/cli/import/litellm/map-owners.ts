import { parseEmail } from '@sluice/contract';
import { cleanName } from '../clean-text.ts';
import type { Findings } from '../findings.ts';
import type { FoundAccount, FoundMember, FoundTeam, FoundUser } from '../inventory.ts';
import type { KeyRow, LitellmSource, TeamRow } from './rows.ts';

export interface MappedOwners {
  readonly teams: readonly FoundTeam[];
  readonly users: readonly FoundUser[];
  readonly accounts: readonly FoundAccount[];
  readonly members: readonly FoundMember[];
  findOwner(key: KeyRow): string;
}

export const teamRef = (id: string) => `team ${id}`;
export const userRef = (id: string) => `user ${id}`;

/**
 * Maps users with an email address. Keys of other users are assigned to a service account, owned by the key's team if
 * there is one.
 */
export function mapOwners(source: LitellmSource, findings: Findings): MappedOwners {
  const teams = mapTeams(source.teams, findings);
  const teamNames = new Map(teams.map(({ name, ref }) => [ref, name]));
  const users = mapUsers(source, findings);
  const people = new Set(users.map(({ ref }) => ref));
  const accounts = new Map<string, FoundAccount>();
  const findOwner = ({ team_id, user_id }: KeyRow): string => {
    if (user_id !== null && people.has(userRef(user_id))) return userRef(user_id);
    const account = createAccount({ team_id, user_id }, teamNames);
    accounts.set(account.ref, account);
    return account.ref;
  };
  for (const key of source.keys) findOwner(key);
  for (const { user_alias, user_email, user_id } of source.users)
    if (!people.has(userRef(user_id)) && !accounts.has(`account of ${userRef(user_id)}`))
      findings.leaveOut(
        'users',
        user_alias ?? user_email ?? user_id,
        'the user has no email address and no key',
      );
  return { teams, users, accounts: [...accounts.values()], members: mapMembers(source, people), findOwner };
}

function mapTeams(rows: readonly TeamRow[], findings: Findings): FoundTeam[] {
  const taken = new Set<string>();
  return rows.map(({ blocked, team_alias, team_id }) => {
    const wanted = cleanName(team_alias, cleanName(`Team ${team_id}`, 'LiteLLM team'));
    let name = wanted.length < 2 ? `Team ${wanted}` : wanted;
    if (taken.has(name.toLowerCase())) {
      name = cleanName(`${wanted.slice(0, 60)} (${team_id.slice(0, 36)})`, wanted);
      findings.approximate(
        'teams',
        wanted,
        'several teams have this name; the ids of the later ones were added to their names',
      );
    }
    taken.add(name.toLowerCase());
    return { ref: teamRef(team_id), name, isActive: !blocked };
  });
}

function mapUsers({ users }: LitellmSource, findings: Findings): FoundUser[] {
  return users.flatMap(({ user_alias, user_email, user_id, user_role }) => {
    const email = parseEmail(user_email ?? '') ?? parseEmail(user_id);
    if (email === null) return [];
    if (user_role?.endsWith('_viewer'))
      findings.approximate('users', email, 'Sluice has no read-only role; the user has the role user');
    const name = cleanName(user_alias, cleanName(email.replace(/@.*/, ''), 'LiteLLM user'));
    return [{ ref: userRef(user_id), email, name, role: user_role === 'proxy_admin' ? 'admin' : 'user' }];
  });
}

function createAccount(
  { team_id, user_id }: Pick<KeyRow, 'team_id' | 'user_id'>,
  teamNames: ReadonlyMap<string, string>,
): FoundAccount {
  const team = team_id === null ? undefined : teamNames.get(teamRef(team_id));
  if (team_id !== null && team !== undefined)
    return {
      ref: `account of ${teamRef(team_id)}`,
      name: cleanName(`LiteLLM ${team}`, 'LiteLLM team'),
      teamRef: teamRef(team_id),
    };
  if (user_id === null) return { ref: 'account', name: 'LiteLLM', teamRef: null };
  return {
    ref: `account of ${userRef(user_id)}`,
    name: cleanName(`LiteLLM ${user_id}`, 'LiteLLM user'),
    teamRef: null,
  };
}

function mapMembers({ keys, teams, users }: LitellmSource, people: ReadonlySet<string>): FoundMember[] {
  const roles = new Map<string, FoundMember>();
  const teamRefs = new Set(teams.map(({ team_id }) => teamRef(team_id)));
  const add = (team: string, user: string, role: FoundMember['role']) => {
    const member = { teamRef: teamRef(team), userRef: userRef(user), role };
    const place = `${member.teamRef}\n${member.userRef}`;
    if (!people.has(member.userRef) || !teamRefs.has(member.teamRef)) return;
    if (!roles.has(place) || role === 'admin') roles.set(place, member);
  };
  for (const team of teams) {
    for (const { role, user_id } of listMembers(team.members_with_roles))
      add(team.team_id, user_id, role === 'admin' ? 'admin' : 'member');
    for (const user of team.members) add(team.team_id, user, 'member');
    for (const user of team.admins) add(team.team_id, user, 'admin');
  }
  for (const user of users) for (const team of user.teams) add(team, user.user_id, 'member');
  for (const { team_id, user_id } of keys) if (team_id && user_id) add(team_id, user_id, 'member');
  return [...roles.values()];
}

function listMembers(value: unknown): { user_id: string; role: unknown }[] {
  const list = typeof value === 'string' ? safeParse(value) : value;
  if (!Array.isArray(list)) return [];
  return list.flatMap((member: unknown) => {
    const { role, user_id } = (member ?? {}) as { role?: unknown; user_id?: unknown };
    return typeof user_id === 'string' ? [{ role, user_id }] : [];
  });
}

function safeParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
