import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { parseEmail } from '../email.ts';
import { idParams, instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';

const notDomain = 'Please enter a domain such as example.com';

/** Returns the domain in lower case and Punycode, or `null` if no email address can have the domain. */
export function parseDomain(text: string): string | null {
  const parsed = parseEmail(`a@${text.trim()}`);
  return parsed === null ? null : parsed.slice(2);
}

const domainName = z
  .string(whenAbsent('Domain is required'))
  .trim()
  .min(1, 'Domain is required')
  .max(253, notDomain)
  .overwrite((text) => parseDomain(text) ?? text)
  .refine((text) => parseDomain(text) !== null, notDomain);

export const domain = z.object({
  id: z.number().int(),
  domain: z.string(),
  /**
   * `null` until a super administrator confirms that the tenant owns the domain. Until then, the domain grants
   * nothing.
   */
  confirmed_at: instant.nullable(),
  created_at: instant,
});

export type Domain = z.infer<typeof domain>;

const write = { surface: 'management', permission: 'settings.write', refusesTokens: true } as const;

export const domainsRoutes = defineRoutes({
  listDomains: {
    method: 'GET',
    path: '/admin/domains',
    surface: 'management',
    permission: 'settings.read',
    summary: "List the tenant's email domains",
    response: z.array(domain),
  },
  addDomain: {
    ...write,
    idempotent: true,
    method: 'POST',
    path: '/admin/domains',
    summary:
      'Add an email domain; it takes effect when a super administrator confirms it, or immediately if a super administrator adds it',
    request: { body: z.strictObject({ domain: domainName }) },
    response: domain,
    status: 201,
  },
  confirmDomain: {
    method: 'POST',
    path: '/admin/domains/{id}/confirm',
    surface: 'management',
    permission: 'super_admin',
    refusesTokens: true,
    summary: 'Confirm that a domain belongs to its tenant; only one tenant can own it',
    request: { params: idParams },
    response: domain,
  },
  removeDomain: {
    ...write,
    method: 'DELETE',
    path: '/admin/domains/{id}',
    summary: 'Remove an email domain; linked users can still sign in',
    request: { params: idParams },
    response: z.void(),
    status: 204,
  },
});
