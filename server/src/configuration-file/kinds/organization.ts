import {
  createTenantBody,
  createUserBody,
  foldEmail,
  parseDomain,
  updateSettingsBody,
  updateSignInPolicyBody,
  updateTenantBody,
} from '@sluice/contract';
import { z } from 'zod';
import { addDomain, removeDomain } from '#console/domains/change.ts';
import { getSettings, updateSettingsInTenant } from '#console/settings/settings.ts';
import { getSignInPolicy, updateSignInPolicy } from '#console/sign-in-policy/policy.ts';
import { updateTenant } from '#console/tenants/update.ts';
import { selectDomains, selectTenant, selectUsers } from '../store.ts';
import { type Kind, omit, type Spec, text } from './kind.ts';

const isOne = { keyFields: [], isSingle: true, keyOf: () => '' } as const;

const noCreation = () => Promise.reject(new Error('each tenant has it'));
/** Does nothing, since the settings and the sign-in policy of a tenant are released instead of deleted. */
const noRemoval = () => Promise.resolve();

/** Kind of tenants. Tenants are created and changed before the transaction is limited to the tenant. */
export const tenant: Kind = {
  ...isOne,
  name: 'tenant',
  collection: '',
  schema: z.strictObject({
    slug: updateTenantBody.shape.slug.unwrap(),
    name: updateTenantBody.shape.name,
    plan: createTenantBody.shape.plan_id.unwrap().optional(),
    user_limit: createTenantBody.shape.user_limit,
    admin_limit: createTenantBody.shape.admin_limit,
  }),
  keyFields: ['slug'],
  fieldNames: { plan_id: 'plan' },
  titleOf: (spec) => text(spec, 'slug'),
  async read({ tx, tenantId }) {
    const row = await selectTenant(tx, tenantId);
    if (!row) return [];
    const { name, slug, planId, userLimit, adminLimit } = row;
    const spec = { slug, name, plan: planId, user_limit: userLimit, admin_limit: adminLimit };
    return [{ id: tenantId, spec }];
  },
  create: noCreation,
  async update({ tx, author, tenantId }, { changes: { plan, ...changes } }) {
    const body = updateTenantBody.parse({ ...changes, ...(plan !== undefined && { plan_id: plan }) });
    await updateTenant(tx, author, { tenantId, body });
  },
  remove: noRemoval,
};

/** Settings of the tenant row or of the whole installation, which are not part of this kind. */
const outside = ['name', 'markup_percentage', 'requires_super_admin_second_factor'];
const settingsSchema = updateSettingsBody.omit({
  name: true,
  markup_percentage: true,
  requires_super_admin_second_factor: true,
});

export const settings: Kind = {
  ...isOne,
  name: 'settings',
  collection: 'settings',
  schema: settingsSchema,
  titleOf: () => '',
  isEqual: (name, stored, wanted) =>
    name === 'time_zone' && String(stored).toLowerCase() === String(wanted).toLowerCase(),
  async read({ tx, tenantId }) {
    return [{ id: tenantId, spec: omit({ ...(await getSettings(tx, { tenantId })) }, outside) }];
  },
  create: noCreation,
  async update({ tx, author }, { changes }) {
    await updateSettingsInTenant(tx, author, settingsSchema.parse(changes));
  },
  remove: noRemoval,
};

const email = createUserBody.shape.email;
const usersMax = 10;

export const signInPolicy: Kind = {
  ...isOne,
  name: 'sign_in_policy',
  collection: 'sign_in_policy',
  schema: updateSignInPolicyBody.extend({ break_glass_users: z.array(email).max(usersMax).optional() }),
  titleOf: () => '',
  referencesOf: ({ break_glass_users: emails }) =>
    (Array.isArray(emails) ? emails : []).map((name) => ({
      field: 'break_glass_users',
      kind: 'user' as const,
      name: String(name),
    })),
  isEqual: (name, stored, wanted) =>
    name === 'break_glass_users' && listEmails(stored) === listEmails(wanted),
  async read({ tx, tenantId }) {
    const policy = await getSignInPolicy(tx, { tenantId });
    const { break_glass_users: ids } = policy;
    const rows = ids.length === 0 ? [] : await selectUsers(tx, tenantId);
    const emails = rows.filter(({ user: { id } }) => ids.includes(id)).map(({ user }) => user.email);
    return [{ id: tenantId, spec: { ...policy, break_glass_users: emails } }];
  },
  create: noCreation,
  async update({ tx, author, idOf }, { changes }) {
    const { break_glass_users: emails, ...given } = changes;
    const ids = Array.isArray(emails)
      ? { break_glass_users: emails.map((one) => idOf('user', String(one))) }
      : {};
    await updateSignInPolicy(tx, author, updateSignInPolicyBody.parse({ ...given, ...ids }));
  },
  remove: noRemoval,
};

const listEmails = (emails: unknown) =>
  Array.isArray(emails)
    ? emails
        .map((one) => foldEmail(String(one)).toLowerCase())
        .toSorted()
        .join()
    : '';

const notDomain = 'Enter a domain such as example.com';

export const domain: Kind = {
  name: 'domain',
  collection: 'domains',
  schema: z.strictObject({
    name: z
      .string(notDomain)
      .max(253, notDomain)
      .overwrite((given) => parseDomain(given) ?? given)
      .refine((given) => parseDomain(given) !== null, notDomain),
  }),
  keyFields: ['name'],
  keyOf: (spec: Spec) => text(spec, 'name'),
  titleOf: (spec) => text(spec, 'name'),
  fieldNames: { domain: 'name' },
  async read({ tx, tenantId }) {
    return (await selectDomains(tx, tenantId)).map(({ id, name }) => ({ id, spec: { name } }));
  },
  create: async ({ tx, author }, wanted) => (await addDomain(tx, author, text(wanted, 'name'))).id,
  update: () => Promise.resolve(),
  remove: ({ tx, author }, { id }) => removeDomain(tx, author, id),
};
