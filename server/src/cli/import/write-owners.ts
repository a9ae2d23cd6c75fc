import { createServiceAccountBody, createTeamBody, foldName } from '@sluice/contract';
import { createServiceAccount } from '#console/service-accounts/accounts.ts';
import { createTask } from '#console/tasks/change.ts';
import { addTeamMember, createTeam, updateTeam } from '#console/teams/change.ts';
import { findRoleId } from '#console/tenants/store.ts';
import { createUser } from '#console/users/create.ts';
import { updateUser } from '#console/users/update.ts';
import { makeUnmatchableHash } from '#platform/password.ts';
import { parseBody } from '../command.ts';
import { selectMemberships, selectTaskOwners, selectTeamNames, selectUsers } from './store.ts';
import type { Writing } from './writing.ts';

/** Ids in Sluice by the ids in the other gateway. */
export interface Owners {
  readonly teams: ReadonlyMap<string, number>;
  readonly users: ReadonlyMap<string, number>;
}

const unlimited = { daily_quota: null, monthly_quota: null, requests_per_hour: null };

export async function writeOwners(writing: Writing): Promise<Owners> {
  const teams = await writeTeams(writing);
  const people = await selectUsers(writing.tx, writing.author.tenantId);
  const users = new Map([
    ...(await writeUsers(writing, people)),
    ...(await writeAccounts(writing, people, teams)),
  ]);
  await writeMembers(writing, { teams, users });
  await writeTasks(writing, users);
  return { teams, users };
}

async function writeTeams({ author, counts, inventory, tx }: Writing): Promise<Map<string, number>> {
  const present = await selectTeamNames(tx, author.tenantId);
  const byName = new Map(present.map(({ id, name }) => [foldName(name), id]));
  const written = new Map<string, number>();
  for (const { isActive, name, ref } of inventory.teams) {
    const known = byName.get(foldName(name));
    if (known === undefined) {
      const { id } = await createTeam(tx, author, parseBody(createTeamBody, { name }));
      if (!isActive) await updateTeam(tx, author, { teamId: id, body: { is_active: false } });
      byName.set(foldName(name), id);
      written.set(ref, id);
      counts.teams.created++;
    } else {
      written.set(ref, known);
      counts.teams.existing++;
    }
  }
  return written;
}

type People = Awaited<ReturnType<typeof selectUsers>>;

/** Creates users without the tenant's default limits, since limits of the source are imported as budgets. */
async function writeUsers(
  { author, counts, inventory, tx }: Writing,
  present: People,
): Promise<Map<string, number>> {
  const byEmail = new Map(present.map(({ email, id }) => [email.toLowerCase(), id]));
  const written = new Map<string, number>();
  for (const { email, name, ref, role } of inventory.users) {
    const known = byEmail.get(email);
    if (known !== undefined) {
      written.set(ref, known);
      counts.users.existing++;
      continue;
    }
    const role_id = await findRoleId(tx, role);
    const passwordHash = makeUnmatchableHash();
    const { id } = await createUser(tx, author, { role_id, email, name, passwordHash, ...unlimited });
    byEmail.set(email, id);
    written.set(ref, id);
    counts.users.created++;
  }
  return written;
}

async function writeAccounts(
  { author, counts, inventory, tx }: Writing,
  present: People,
  teams: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const isAccount = ({ isDeleted, kind }: People[number]) => kind === 'service' && !isDeleted;
  const byName = new Map(present.filter(isAccount).map(({ id, name }) => [foldName(name), id]));
  const written = new Map<string, number>();
  for (const { name, ref, teamRef } of inventory.accounts) {
    const known = byName.get(foldName(name));
    if (known !== undefined) {
      written.set(ref, known);
      counts['service accounts'].existing++;
      continue;
    }
    const team_id = teamRef === null ? null : (teams.get(teamRef) ?? null);
    const body = parseBody(createServiceAccountBody, { name, team_id });
    const { id } = await createServiceAccount(tx, author, body);
    await updateUser(tx, author, { userId: id, body: unlimited });
    byName.set(foldName(name), id);
    written.set(ref, id);
    counts['service accounts'].created++;
  }
  return written;
}

async function writeMembers(
  { author, counts, inventory, tx }: Writing,
  { teams, users }: Owners,
): Promise<void> {
  const placeOf = (teamId: number, userId: number) => `${teamId} ${userId}`;
  const memberships = await selectMemberships(tx, author.tenantId);
  const present = new Set(memberships.map(({ teamId, userId }) => placeOf(teamId, userId)));
  for (const { role, teamRef, userRef } of inventory.members) {
    const [teamId, userId] = [teams.get(teamRef), users.get(userRef)];
    if (teamId === undefined || userId === undefined) continue;
    if (present.has(placeOf(teamId, userId))) counts['team members'].existing++;
    else {
      await addTeamMember(tx, author, { teamId, body: { user_id: userId, role } });
      present.add(placeOf(teamId, userId));
      counts['team members'].created++;
    }
  }
}

/** Creates API access tasks for owners whose clients do not name a task. */
async function writeTasks(
  { author, inventory, tx }: Writing,
  users: ReadonlyMap<string, number>,
): Promise<void> {
  const present = await selectTaskOwners(tx, author.tenantId);
  const administrators = new Set(
    inventory.users.filter(({ role }) => role === 'admin').map(({ ref }) => ref),
  );
  for (const ref of new Set(inventory.keys.map(({ ownerRef }) => ownerRef))) {
    const userId = users.get(ref);
    if (userId === undefined || administrators.has(ref) || present.has(userId)) continue;
    await createTask(tx, author, { is_dummy_task: true, user_id: userId });
    present.add(userId);
  }
}
