import {
  addTeamMemberBody,
  createServiceAccountBody,
  createTeamBody,
  createUserBody,
  foldEmail,
  foldName,
  labelSet,
  roleNames,
  updateServiceAccountBody,
  updateTeamBody,
  updateTeamMemberBody,
  updateUserBody,
} from '@sluice/contract';
import { z } from 'zod';
import { setLabelsOf } from '#console/labels/labels.ts';
import {
  createServiceAccount,
  deleteServiceAccount,
  updateServiceAccount,
} from '#console/service-accounts/accounts.ts';
import {
  addTeamMember,
  createTeam,
  deleteTeam,
  removeTeamMember,
  updateTeam,
  updateTeamMember,
} from '#console/teams/change.ts';
import { requireUncommonPassword } from '#console/users/change-password.ts';
import { createUser } from '#console/users/create.ts';
import { updateUser } from '#console/users/update.ts';
import { makeUnmatchableHash } from '#platform/password.ts';
import { secretReference } from '../secrets.ts';
import { selectMembers, selectRoleIds, selectTeams, selectUsers } from '../store.ts';
import {
  type ApplyContext,
  type ApplyDeps,
  field,
  type Kind,
  type KindName,
  omit,
  type Reference,
  type Spec,
  text,
} from './kind.ts';

const foldAddress = (address: string) => foldEmail(address).toLowerCase();

const teamName = createTeamBody.shape.name;
const userEmail = createUserBody.shape.email;
const accountName = createServiceAccountBody.shape.name;

/** Fields that identify a user or service account. Exactly one of them is set. */
export const accountFields = { user: userEmail.optional(), service_account: accountName.optional() };

export const isOneAccount = ({ user, service_account: account }: Spec) =>
  (user === undefined) !== (account === undefined);
export const oneAccountProblem = 'Name either a user or a service_account';

export function accountSpec(row: {
  email: string | null;
  accountName: string | null;
  accountKind: string | null;
}): Spec {
  if (row.email === null) return {};
  return row.accountKind === 'service' ? { service_account: row.accountName } : { user: row.email };
}

export const accountKey = ({ user, service_account: account }: Spec): string =>
  user === undefined ? `service account ${foldName(String(account))}` : `user ${foldAddress(String(user))}`;

export const accountTitle = ({ user, service_account: account }: Spec): string => String(user ?? account);

export function accountReferences({ user, service_account: account }: Spec): Reference[] {
  if (user !== undefined) return [{ field: 'user', kind: 'user', name: String(user) }];
  return account === undefined
    ? []
    : [{ field: 'service_account', kind: 'service_account', name: String(account) }];
}

/** Returns `null` if the entry has no account. */
export function accountId({ idOf }: ApplyContext, spec: Spec): number | null {
  const [reference] = accountReferences(spec);
  return reference ? idOf(reference.kind, reference.name) : null;
}

async function setLabels(
  { tx, author }: ApplyContext,
  noun: 'Team' | 'User' | 'Task',
  id: number,
  { labels }: Spec,
): Promise<void> {
  if (labels !== undefined)
    await setLabelsOf(noun)(tx, author, { id, body: { labels: labelSet.parse(labels) } });
}

export const labelTask = (context: ApplyContext, id: number, spec: Spec) =>
  setLabels(context, 'Task', id, spec);

export const team: Kind = {
  name: 'team',
  collection: 'teams',
  schema: z.strictObject({ ...updateTeamBody.shape, name: teamName, labels: labelSet.optional() }),
  keyFields: ['name'],
  keyOf: (spec) => foldName(text(spec, 'name')),
  titleOf: (spec) => text(spec, 'name'),
  async read({ tx, tenantId }) {
    const rows = await selectTeams(tx, tenantId);
    return rows.map(({ id, name, description, isActive, labels }) => ({
      id,
      spec: { name, description, is_active: isActive, labels },
    }));
  },
  async create(context, wanted) {
    const { tx, author } = context;
    const body = createTeamBody.parse({ name: wanted.name, description: wanted.description });
    const { id } = await createTeam(tx, author, body);
    if (wanted.is_active === false) await updateTeam(tx, author, { teamId: id, body: { is_active: false } });
    await setLabels(context, 'Team', id, wanted);
    return id;
  },
  async update(context, { stored: { id }, changes }) {
    const body = updateTeamBody.parse(omit(changes, ['labels']));
    if (Object.keys(body).length > 0) await updateTeam(context.tx, context.author, { teamId: id, body });
    await setLabels(context, 'Team', id, changes);
  },
  remove: ({ tx, author }, { id }) => deleteTeam(tx, author, id),
};

const { role_id: _role, email: _email, ...userFields } = updateUserBody.shape;

function hashPassword({ passwords }: ApplyDeps, password: string): Promise<string> {
  const folded = createUserBody.shape.password.parse(password);
  requireUncommonPassword(folded);
  return passwords.hash(folded);
}

export const user: Kind = {
  name: 'user',
  collection: 'users',
  schema: z.strictObject({
    email: userEmail,
    ...userFields,
    role: z.enum(roleNames).optional(),
    labels: labelSet.optional(),
    /** Password of a new user. If omitted, the user sets a password by mail or signs in at an identity provider. */
    password: secretReference.optional(),
  }),
  keyFields: ['email'],
  initialFields: ['password'],
  secretFields: ['password'],
  fieldNames: { role_id: 'role' },
  keyOf: (spec) => foldAddress(text(spec, 'email')),
  titleOf: (spec) => text(spec, 'email'),
  isEqual: (name, stored, wanted) =>
    name === 'email' && String(stored).toLowerCase() === String(wanted).toLowerCase(),
  async read({ tx, tenantId }) {
    const rows = await selectUsers(tx, tenantId);
    return rows
      .filter(({ user: { kind } }) => kind === 'person')
      .map(({ user: row, role }) => ({
        id: row.id,
        spec: {
          email: row.email,
          name: row.name,
          role,
          daily_quota: row.dailyQuota,
          monthly_quota: row.monthlyQuota,
          requests_per_hour: row.requestsPerHour,
          is_active: row.isActive,
          labels: row.labels,
        },
      }));
  },
  async create(context, wanted) {
    const { tx, author, deps } = context;
    const { role = 'user', password, is_active: isActive, labels: _, ...given } = wanted;
    const roleId = (await selectRoleIds(tx)).get(String(role));
    const body = createUserBody.omit({ password: true }).parse({
      ...given,
      name: given.name ?? text(wanted, 'email').replace(/@.*/, ''),
      role_id: roleId,
    });
    const passwordHash =
      password === undefined ? makeUnmatchableHash() : await hashPassword(deps, String(password));
    const { id } = await createUser(tx, author, { ...body, passwordHash });
    if (isActive === false) await updateUser(tx, author, { userId: id, body: { is_active: false } });
    await setLabels(context, 'User', id, wanted);
    return id;
  },
  async update(context, { stored: { id }, changes }) {
    const { tx, author } = context;
    const { role, labels: _, ...given } = changes;
    const roleId = role === undefined ? {} : { role_id: (await selectRoleIds(tx)).get(String(role)) };
    const body = updateUserBody.parse({ ...given, ...roleId });
    if (Object.keys(body).length > 0) await updateUser(tx, author, { userId: id, body });
    await setLabels(context, 'User', id, changes);
  },
  async remove({ tx, author }, { id }) {
    await updateUser(tx, author, { userId: id, body: { is_active: false } });
  },
};

const { team_id: _team, ...serviceFields } = updateServiceAccountBody.shape;
const ownerBody = ({ tx: _tx, idOf }: ApplyContext, { team: owner, labels: _, ...given }: Spec) => ({
  ...given,
  ...(owner !== undefined && { team_id: owner === null ? null : idOf('team', String(owner)) }),
});

export const serviceAccount: Kind = {
  name: 'service_account',
  collection: 'service_accounts',
  schema: z.strictObject({
    ...serviceFields,
    name: accountName,
    team: teamName.nullish(),
    labels: labelSet.optional(),
  }),
  keyFields: ['name'],
  fieldNames: { team_id: 'team' },
  keyOf: (spec) => foldName(text(spec, 'name')),
  titleOf: (spec) => text(spec, 'name'),
  referencesOf: ({ team: owner }) =>
    typeof owner === 'string' ? [{ field: 'team', kind: 'team', name: owner }] : [],
  isEqual: (name, stored, wanted) => name === 'team' && isSameName(stored, wanted),
  async read({ tx, tenantId }) {
    const rows = await selectUsers(tx, tenantId);
    return rows
      .filter(({ user: { kind } }) => kind === 'service')
      .map(({ user: row, role, team: owner }) => ({
        id: row.id,
        spec: {
          name: row.name,
          team: owner,
          role,
          scores_deviation: row.scoresDeviation,
          is_active: row.isActive,
          labels: row.labels,
        },
      }));
  },
  async create(context, wanted) {
    const { tx, author } = context;
    const { is_active: isActive, ...given } = ownerBody(context, wanted) as Spec;
    const { id } = await createServiceAccount(tx, author, createServiceAccountBody.parse(given));
    if (isActive === false) await updateServiceAccount(tx, author, { id, body: { is_active: false } });
    await setLabels(context, 'User', id, wanted);
    return id;
  },
  async update(context, { stored: { id }, changes }) {
    const body = updateServiceAccountBody.parse(ownerBody(context, changes));
    if (Object.keys(body).length > 0) await updateServiceAccount(context.tx, context.author, { id, body });
    await setLabels(context, 'User', id, changes);
  },
  remove: ({ tx, author }, { id }) => deleteServiceAccount(tx, author, id),
};

export const isSameName = (one: unknown, other: unknown) =>
  typeof one === 'string' && typeof other === 'string' && foldName(one) === foldName(other);

export const teamMember: Kind = {
  name: 'team_member',
  collection: 'members',
  within: { kind: 'team', field: 'team' },
  schema: z
    .strictObject({
      ...accountFields,
      role: field(addTeamMemberBody.shape.role),
      is_active: updateTeamMemberBody.shape.is_active,
    })
    .refine(isOneAccount, oneAccountProblem),
  keyFields: ['user', 'service_account'],
  keyOf: (spec) => `${foldName(text(spec, 'team'))} ${accountKey(spec)}`,
  titleOf: (spec) => `${accountTitle(spec)} in ${spec.team}`,
  referencesOf: (spec) => accountReferences(spec),
  async read({ tx, tenantId }) {
    const rows = await selectMembers(tx, tenantId);
    return rows.map((row) => ({
      id: row.id,
      spec: { team: row.team, ...accountSpec(row), role: row.role, is_active: row.isActive },
    }));
  },
  async create(context, wanted) {
    const { tx, author } = context;
    const place = {
      teamId: context.idOf('team', text(wanted, 'team')),
      userId: accountId(context, wanted) ?? 0,
    };
    const body = addTeamMemberBody.parse({ user_id: place.userId, role: wanted.role });
    await addTeamMember(tx, author, { teamId: place.teamId, body });
    if (wanted.is_active === false) await updateTeamMember(tx, author, { place, body: { is_active: false } });
    return undefined;
  },
  async update(context, { wanted, changes }) {
    const place = {
      teamId: context.idOf('team', text(wanted, 'team')),
      userId: accountId(context, wanted) ?? 0,
    };
    const body = updateTeamMemberBody.parse(changes);
    await updateTeamMember(context.tx, context.author, { place, body });
  },
  async remove(context, { spec }) {
    const place = { teamId: context.idOf('team', text(spec, 'team')), userId: accountId(context, spec) ?? 0 };
    await removeTeamMember(context.tx, context.author, place);
  },
};

export function keyOfReference(kind: KindName, name: string): string {
  return kind === 'user' ? foldAddress(name) : foldName(name);
}
