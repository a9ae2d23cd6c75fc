import { scimSchemas } from '@sluice/contract';
import type { ObjectKind } from './object-kind.ts';
import { addTeam } from './world.ts';

const scimToken: ObjectKind = {
  name: 'SCIM token',
  async make({ pool }, { tenant }) {
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO scim_tokens (tenant_id, name, token_hash, last4, expires_at)
       VALUES ($1, $2 || gen_random_uuid(), uuid_send(gen_random_uuid()), 'last', now() + interval '1 day') RETURNING id`,
      [tenant.id, tenant.marker],
    );
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
};

const scimUser: ObjectKind = {
  name: 'SCIM user',
  make: async (_world, { userId }) => String(userId),
  missingId: () => '2147483647',
};

const scimGroup: ObjectKind = {
  name: 'SCIM group',
  make: async (world, { tenant }) => String(await addTeam(world, tenant)),
  missingId: () => '2147483647',
};

/** SCIM descriptions are the same for all tenants, so no object is created. */
const describedBy = (id: string): ObjectKind => ({
  name: `description ${id}`,
  make: async (_world, { owner }) => (owner === 'other tenant' ? 'neither' : id),
  missingId: () => 'nowhere',
});

export const kindsOfScim: Readonly<Record<string, ObjectKind>> = {
  '/admin/scim-tokens/{id}': scimToken,
  '/scim/v2/Users/{id}': scimUser,
  '/scim/v2/Groups/{id}': scimGroup,
  '/scim/v2/Schemas/{id}': describedBy(scimSchemas.user),
  '/scim/v2/ResourceTypes/{id}': describedBy('User'),
};
