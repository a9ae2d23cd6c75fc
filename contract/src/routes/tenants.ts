import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { email } from '../email.ts';
import { isPlainLine, notPlainLine, slugMax } from '../fields.ts';
import { idParams, instant } from '../ids.ts';
import { pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';
import { password } from './users.ts';

export const tenantStatuses = ['trial', 'active', 'suspended'] as const;

export const tenant = z.object({
  id: z.number().int(),
  name: z.string(),
  slug: z.string(),
  status: z.enum(tenantStatuses),
  created_at: instant,
});

export type Tenant = z.infer<typeof tenant>;

/** A limit of `null` means unlimited. `user_count` and `admin_count` count active users. */
export const tenantDetails = tenant.extend({
  plan_id: z.string().nullable(),
  user_limit: z.number().int().nullable(),
  admin_limit: z.number().int().nullable(),
  user_count: z.number().int(),
  admin_count: z.number().int(),
  suspension_reason: z.string().nullable(),
  suspended_at: instant.nullable(),
});

export type TenantDetails = z.infer<typeof tenantDetails>;

const name = z
  .string(whenAbsent('Name is required'))
  .trim()
  .min(1, 'Name is required')
  .max(200, 'Name must be at most 200 characters')
  .refine(isPlainLine, notPlainLine('Name'));

const slug = z
  .string()
  .trim()
  .max(slugMax, `Slug must be at most ${slugMax} characters`)
  .regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    'Slug must contain only lowercase letters and digits, separated by single dashes',
  )
  // The letter distinguishes slugs from ids.
  .regex(/[a-z]/, 'Slug must contain a letter');

const planId = z.string().max(100).nullable();

const limit = (label: string, min: number) => {
  const range = `${label} must be a whole number from ${min} to 1,000,000`;
  return z.number(range).int(range).min(min, range).max(1_000_000, range).nullable();
};
const userLimit = limit('User limit', 0);
const adminLimit = limit('Admin limit', 1);

/**
 * Limits default to those of the plan. The first administrator is invited by mail, or gets an account immediately if
 * name and password are given.
 */
export const createTenantBody = z
  .strictObject({
    name,
    slug: slug.optional(),
    plan_id: planId.default(null),
    user_limit: userLimit.optional(),
    admin_limit: adminLimit.optional(),
    administrator_email: email,
    administrator_name: z
      .string()
      .trim()
      .min(1, 'Administrator name is required')
      .max(200, 'Administrator name must be at most 200 characters')
      .refine(isPlainLine, notPlainLine('Administrator name'))
      .optional(),
    administrator_password: password.optional(),
  })
  .superRefine((body, ctx) => {
    const given = [body.administrator_name, body.administrator_password];
    if (given.every((one) => one === undefined) || !given.includes(undefined)) return;
    const [path, message] =
      body.administrator_name === undefined
        ? ['administrator_name', 'Administrator name is required']
        : ['administrator_password', 'Password is required'];
    ctx.addIssue({ code: 'custom', path: [path], message });
  });

/** Changed fields only. A new plan also sets its limits, except those that the request sets. */
export const updateTenantBody = z
  .strictObject({ name, slug, plan_id: planId, user_limit: userLimit, admin_limit: adminLimit })
  .partial();

export const suspensionReasonMax = 500;

/** The reason is shown to all users of the tenant. */
export const suspendTenantBody = z.strictObject({
  reason: z
    .string(whenAbsent('A reason is required'))
    .trim()
    .min(1, 'A reason is required')
    .max(suspensionReasonMax, `A reason must be at most ${suspensionReasonMax} characters`),
});

const ofPlatform = { surface: 'management', permission: 'super_admin' } as const;
const one = { ...ofPlatform, path: '/tenants/{id}', response: tenantDetails } as const;

export const tenantsRoutes = defineRoutes({
  getMyTenant: {
    method: 'GET',
    path: '/tenants/my-tenant',
    surface: 'management',
    permission: 'credits.read',
    summary: "Get the caller's tenant",
    response: tenant,
  },
  listTenants: {
    ...ofPlatform,
    method: 'GET',
    path: '/tenants',
    summary: 'List the tenants that a super administrator may act for, by name',
    request: {
      query: z.strictObject({ ...pageQuery(100), search: z.string().trim().max(200).optional() }),
    },
    response: z.array(tenant),
  },
  createTenant: {
    ...ofPlatform,
    method: 'POST',
    path: '/tenants',
    idempotent: true,
    summary: 'Create a tenant with its first administrator, who is invited or gets an account',
    request: { body: createTenantBody },
    response: tenantDetails,
    status: 201,
  },
  getTenant: {
    ...one,
    method: 'GET',
    summary: 'Get a tenant with its plan, limits and usage',
    request: { params: idParams },
  },
  updateTenant: {
    ...one,
    method: 'PUT',
    summary: "Change a tenant's name, slug, plan or limits; no limit may be below what is in use",
    request: { params: idParams, body: updateTenantBody },
  },
  suspendTenant: {
    ...one,
    method: 'POST',
    path: '/tenants/{id}/suspend',
    idempotent: true,
    summary: 'Suspend a tenant: new requests are rejected, but users can still sign in and read',
    request: { params: idParams, body: suspendTenantBody },
  },
  reactivateTenant: {
    ...one,
    method: 'POST',
    path: '/tenants/{id}/reactivate',
    idempotent: true,
    summary: 'End the suspension of a tenant',
    request: { params: idParams },
  },
});
